git clone https://github.com/OWNER/keepsake
mkdir MyHIITFit
cd MyHIITFit
swift package init --type executable --name MyHIITFit
rm -r Sources/MyHIITFit/* Tests
