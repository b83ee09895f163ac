// Command app ships models and does nothing with them.
package main

import "github.com/skainet-dev/skainet-go/rules/tests/sizes/lib"

func main() { lib.Do() }
