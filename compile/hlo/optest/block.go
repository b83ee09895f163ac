package optest

// blocks are whole models.
var blocks []entry
