kill -9 $(pidof MyHIITFit)
swift run
