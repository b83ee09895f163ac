package pjrt

import mmap "github.com/edsrzf/mmap-go"

// mapped returns pages of zeros that the garbage collector does not manage.
func mapped(n int) (mmap.MMap, error) { return mmap.MapRegion(nil, n, mmap.RDWR, mmap.ANON, 0) }
