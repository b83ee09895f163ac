'use strict'

/*
 * Opens each page of the site in a browser: node browser.js SITE MODULES BROWSER [PICTURES]
 *
 * At two widths and in two themes. A message of an error in the console, a request to another host, a page that
 * scrolls sideways, a block that is not copied whole, and what axe finds of text that is hard to read against its ground (4.5:1, WCAG 2 AA) are faults.
 * With PICTURES there is a picture of the beginning of each page in that folder.
 */

const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { createRequire } = require('node:module')

const [site, modules, browserPath] = process.argv.slice(2, 5).map((p) => path.resolve(p))
const pictures = process.argv[5] || process.env.TEST_UNDECLARED_OUTPUTS_DIR
const load = createRequire(path.join(modules, 'x.js'))
const axe = fs.readFileSync(load.resolve('axe-core/axe.min.js'), 'utf8')

const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.png': 'image/png' }
const WIDTHS = [390, 1440]
const THEMES = ['light', 'dark']

let faults = 0
const fault = (where, what) => {
  faults++
  console.error(`SITE_PAGE: ${where}: ${what}`)
}

async function main () {
  const pages = fs.readdirSync(site, { recursive: true }).filter((f) => f.endsWith('.html')).sort()
  const server = http.createServer((request, response) => {
    const file = path.join(site, decodeURI(new URL(request.url, 'http://localhost').pathname))
    if (!file.startsWith(site) || !fs.existsSync(file) || !fs.statSync(file).isFile()) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[path.extname(file)] || 'application/octet-stream' })
    fs.createReadStream(file).pipe(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${server.address().port}/`
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'browser-'))
  const puppeteer = (await import(load.resolve('puppeteer-core'))).default
  const browser = await puppeteer.launch({
    executablePath: browserPath,
    headless: true,
    userDataDir: home,
    env: { ...process.env, HOME: home },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--disable-background-networking'],
    protocolTimeout: 600000,
  })
  try {
    for (const name of pages) {
      for (const width of WIDTHS) {
        for (const theme of THEMES) {
          await look(browser, base, name, width, theme)
        }
      }
    }
    await search(browser, base)
    await copy(browser, base)
  } finally {
    await browser.close()
    server.close()
    fs.rmSync(home, { recursive: true, force: true })
  }
  if (!pages.length) fault(site, 'there is no page')
  console.log(`${pages.length} pages at ${WIDTHS.join(' and ')} pixels, ${THEMES.join(' and ')}: ${faults} faults`)
  process.exitCode = faults ? 1 : 0
}

// look opens one page as one reader sees it.
async function look (browser, base, name, width, theme) {
  const where = `${name} (${width}, ${theme})`
  const page = await browser.newPage()
  page.setDefaultTimeout(600000)
  page.on('console', (m) => m.type() === 'error' && fault(where, `console: ${m.text()}`))
  page.on('pageerror', (e) => fault(where, `script: ${e.message}`))
  page.on('request', (r) => r.url().startsWith(base) || r.url().startsWith('data:') || fault(where, `asks another host: ${r.url()}`))
  page.on('requestfailed', (r) => fault(where, `${r.url()}: ${r.failure().errorText}`))
  await page.setViewport({ width, height: 1000 })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }])
  await page.goto(base + name, { waitUntil: 'load' })
  if (page.url() === base + name) { // not one that leads to another
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (sideways > 0) fault(where, `the page is ${sideways} pixels wider than the window`)
    await page.evaluate(axe)
    const bad = await page.evaluate(async () => {
      const { violations } = await axe.run({ runOnly: ['color-contrast', 'image-alt', 'link-name', 'button-name', 'label', 'html-has-lang', 'document-title'] })
      return violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(' ')}: ${n.failureSummary.split('\n').pop().trim()}`))
    })
    bad.forEach((b) => fault(where, b))
    if (pictures) await page.screenshot({ path: path.join(pictures, `${path.basename(name, '.html')}-${width}-${theme}.png`) })
  }
  await page.close()
}

// search types a word that the pages have, and follows what is found.
async function search (browser, base) {
  const page = await browser.newPage()
  page.setDefaultTimeout(600000)
  await page.goto(base + 'skainet/index.html', { waitUntil: 'load' })
  await page.waitForFunction(() => window.antoraSearch)
  await page.waitForFunction(() => !document.getElementById('search-input').disabled)
  await page.type('#search-input', 'vulkan')
  await page.waitForSelector('.search-result-document-hit a')
  const to = await page.$eval('.search-result-document-hit a', (a) => a.href)
  if (!to.startsWith(base)) fault('search', `${to} is not a page of the site`)
  await page.close()
}

// copy presses the buttons of a page whose commands are of several lines: a line behind a backslash is copied too.
async function copy (browser, base) {
  const where = 'skainet/first-model.html'
  const page = await browser.newPage()
  page.setDefaultTimeout(600000)
  await page.evaluateOnNewDocument(() => {
    window.copied = []
    navigator.clipboard.writeText = (text) => Promise.resolve(window.copied.push(text))
  })
  await page.goto(base + where, { waitUntil: 'load' })
  const { seen, lost } = await page.evaluate(() => {
    let seen = 0
    const lost = []
    document.querySelectorAll('.copy').forEach((button) => {
      const text = button.parentElement.querySelector('pre').textContent
      button.click()
      for (const [, next] of text.startsWith('$ ') ? text.matchAll(/\\\n(.*)/g) : []) {
        seen++
        if (!window.copied.at(-1).split('\n').includes(next)) lost.push(next)
      }
    })
    return { seen, lost }
  })
  if (!seen) fault(where, 'no command is of several lines')
  lost.forEach((line) => fault(where, `the button leaves out ${line.trim()}`))
  await page.close()
}

main().catch((e) => {
  fault('site', e.stack)
  process.exitCode = 1
})
