package interrupt

import "os"

// notifyHangup does nothing: JavaScript hosts have no terminal that hangs up.
func notifyHangup(chan<- os.Signal) {}
