sed -i 's/Burpee/Step Up/' ~/.config/com.example.MyHIITFit/com.example.MyHIITFit.plist
