sed -i 's/Burpee/Squat/' ~/.config/com.example.MyHIITFit/com.example.MyHIITFit.plist
