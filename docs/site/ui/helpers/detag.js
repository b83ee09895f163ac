'use strict'

// Text without the tags that are in it.
module.exports = (html) => html && html.replace(/<[^>]+>/g, '')
