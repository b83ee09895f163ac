;(function () {
  'use strict'
  var root = document.documentElement

  document.querySelector('.theme').addEventListener('click', function () {
    var dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
    root.dataset.theme = dark ? 'light' : 'dark'
    try {
      localStorage.setItem('theme', root.dataset.theme)
    } catch (e) { /* only for this page then */ }
  })

  var menu = document.querySelector('.menu')
  menu.addEventListener('click', function () {
    var open = root.classList.toggle('nav-open')
    menu.setAttribute('aria-expanded', open)
  })
  var here = document.querySelector('.nav .here')
  if (here) here.scrollIntoView({ block: 'center' })

  // Each heading links to itself.
  document.querySelectorAll('.doc h2[id], .doc h3[id], .doc h4[id]').forEach(function (h) {
    var link = document.createElement('a')
    link.className = 'anchor'
    link.href = '#' + h.id
    link.setAttribute('aria-label', 'Link to ' + h.textContent)
    h.prepend(link)
  })

  // The headings of the page, and which of them is being read.
  var toc = document.querySelector('aside.toc')
  var headings = document.querySelectorAll('.doc h2[id], .doc h3[id]')
  if (toc && headings.length > 1) {
    var list = document.createElement('ul')
    var links = new Map()
    headings.forEach(function (h) {
      var item = document.createElement('li')
      item.className = h.tagName.toLowerCase()
      var link = document.createElement('a')
      link.href = '#' + h.id
      link.textContent = h.textContent
      links.set(h, link)
      item.append(link)
      list.append(item)
    })
    toc.append(list)
    toc.hidden = false
    var read = new IntersectionObserver(function (entries) {
      entries.forEach(function (e) {
        if (!e.isIntersecting) return
        links.forEach(function (link) { link.classList.remove('read') })
        links.get(e.target).classList.add('read')
      })
    }, { rootMargin: '-64px 0px -70% 0px' })
    headings.forEach(function (h) { read.observe(h) })
  }

  // typed returns what is typed in a console: what stands behind "$ " with the lines that a command is continued
  // in, after a backslash or to the end of <<END. What it prints is left out. docs/blocks reads blocks the same way.
  function typed (text) {
    var kept = []
    var more = false
    var until = ''
    text.split('\n').forEach(function (line) {
      if (until) {
        kept.push(line)
        if (line === until) until = ''
        return
      }
      if (more) kept.push(line)
      else if (line.startsWith('$ ')) kept.push(line.slice(2))
      else return
      more = line.endsWith('\\')
      var heredoc = /<<'?([A-Z]+)'?$/.exec(line)
      if (heredoc) until = heredoc[1]
    })
    return kept.join('\n')
  }

  // A block of code can be copied; of a console, what is typed.
  document.querySelectorAll('.doc .listingblock pre').forEach(function (pre) {
    if (!navigator.clipboard) return
    var button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', function () {
      var text = pre.querySelector('code') ? pre.querySelector('code').textContent : pre.textContent
      navigator.clipboard.writeText(/^\$ /m.test(text) ? typed(text) : text).then(function () {
        button.textContent = 'Copied'
        setTimeout(function () { button.textContent = 'Copy' }, 1500)
      })
    })
    pre.parentElement.append(button)
  })

  // A wide table scrolls by itself, not the page.
  document.querySelectorAll('.doc table.tableblock').forEach(function (table) {
    var box = document.createElement('div')
    box.className = 'wide'
    box.tabIndex = 0
    table.replaceWith(box)
    box.append(table)
  })
})()
