package wav_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/skainet-dev/skainet-go/audio/wav"
)

// Decode returns mono samples of full scale 1; channels are averaged.
func ExampleDecode() {
	const file = "RIFF\x2c\x00\x00\x00WAVE" +
		"fmt \x10\x00\x00\x00\x01\x00\x02\x00\x80\x3e\x00\x00\x00\xfa\x00\x00\x04\x00\x10\x00" + // 2 channels of 16 bits, 16 kHz
		"data\x08\x00\x00\x00\x00\x40\x00\x00\x00\xc0\x00\xc0" // left 1/2 and -1/2, right 0 and -1/2
	clip, err := wav.Decode(strings.NewReader(file))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(clip.Rate, clip.Channels, clip.Encoding, clip.Samples)
	// Output: 16000 2 s16 [0.25 -0.5]
}
