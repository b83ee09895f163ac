package mel_test

import (
	"fmt"
	"log"
	"math"

	"github.com/skainet-dev/skainet-go/audio/mel"
)

// A tone of 440 Hz is loudest in one of the 80 bins.
func ExampleExtractor_LogMel() {
	extractor, err := mel.New(mel.Config{Mels: 80})
	if err != nil {
		log.Fatal(err)
	}
	second := make([]float32, mel.SampleRate)
	for i := range second {
		second[i] = float32(math.Sin(2 * math.Pi * 440 * float64(i) / mel.SampleRate))
	}
	features, err := extractor.LogMel(second)
	if err != nil {
		log.Fatal(err)
	}
	frames, loudest := len(features)/80, 0
	for bin := range 80 {
		if features[bin*frames+50] > features[loudest*frames+50] {
			loudest = bin
		}
	}
	fmt.Println(frames, "frames; the loudest bin of frame 50 is", loudest)
	// Output: 3000 frames; the loudest bin of frame 50 is 11
}
