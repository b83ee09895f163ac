// Before anything is drawn: the theme that was chosen, or the system's.
;(function () {
  'use strict'
  var chosen = null
  try {
    chosen = localStorage.getItem('theme')
  } catch (e) { /* a page opened from a file may not have storage */ }
  if (chosen) document.documentElement.dataset.theme = chosen
})()
