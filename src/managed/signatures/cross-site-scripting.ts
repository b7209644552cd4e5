/**
 * Cross-site scripting. Editors post markup all the time: paragraphs, links, images, tables, embedded videos, even
 * `href="javascript:void(0)"`. They do not post code, so a signature requires something that runs.
 */
import { body, cookie, matchAny, matchAnyWith, path, query, type Signature, confirm } from './signature.ts';

/** The character itself, or how JSON and JavaScript escape it. */
const less = String.raw`(?:<|\\u003c|\\x3c)`;
/** Attributes that contain code; those that ordinary words begin with, such as "only=", are left out. */
const handler = String.raw`on(?:error|load(?:start|end|eddata|edmetadata)?|click|dblclick|auxclick|contextmenu|mouse\w{2,5}|pointer\w{2,16}|touch\w{3,6}|key(?:down|up|press)|focus(?:in|out)?|blur|change|input|invalid|submit|reset|select(?:start|ionchange)?|toggle|beforetoggle|wheel|scroll(?:end)?|resize|drag\w{0,5}|drop|copy|cut|paste|play(?:ing)?|canplay(?:through)?|ended|begin|end|repeat|start|finish|bounce|animation\w{3,9}|transition\w{3,6}|hashchange|popstate|pageshow|pagehide|message|unload|before\w{4,14}|readystatechange|show|search|progress|cuechange)`;
/** White space that browsers drop, literal or as JSON escapes it. */
const blank = String.raw`(?:\s|\\[nrt])*`;
/** Interrupted at most once: a list of patterns is searched by whole words. */
const javascript = String.raw`(?:(?:j${blank}ava|ja${blank}va|jav${blank}a|java${blank}|vb${blank})script|javas${blank}cript|javasc${blank}ript|javascri${blank}pt)${blank}:`;
const code = String.raw`(?:alert|confirm|prompt|eval|document|window|location|fetch|import|atob|self|top|parent|frames|globalthis|settimeout|setinterval|function|new\s|this|\(|\[|\{|/\*|//|'|"|\x60|%|\\)`;
/** What follows the colon: prose about JavaScript has words there, but no calls. */
const run = String.raw`(?:\s*(?:alert|confirm|prompt|eval|document|window|location|fetch|import|atob|self|top|parent|frames|globalthis|settimeout|setinterval|function|this|new\s+\w+)\s*[.(\[=\x60]|[(\[{'"\x60%\\]|\s*/[/*])`;

export const crossSiteScripting: readonly Signature[] = [
  {
    legacyId: '100173',
    description: 'XSS, HTML Injection - script tag',
    categories: ['xss'],
    expression: confirm(
      'script',
      matchAny(String.raw`${less}\s*/?\s*script[\s/>:\\]`, path, query, body, cookie),
    ),
  },
  {
    legacyId: '100173B',
    description: 'XSS, HTML Injection - script tag at the end of a value',
    categories: ['xss'],
    expression: matchAny(String.raw`${less}\s*script\s*(?:&|$)`, query),
  },
  {
    legacyId: '100021',
    description: 'XSS, HTML Injection - event handler in a tag',
    categories: ['xss'],
    expression: confirm(
      'script',
      `(${matchAnyWith('<', String.raw`<[a-z][^<>]*[\s/"'\\]${handler}\s*=\s*[^\s=]`, path, query, body, cookie)} or ${matchAnyWith('u003c', String.raw`\\u003c[a-z][^<>]*[\s/"'\\]${handler}\s*=\s*[^\s=]`, body)})`,
    ),
  },
  {
    legacyId: '100021B',
    description: 'XSS - event handler behind a quote',
    categories: ['xss'],
    expression: matchAnyWith('=', String.raw`["'][\s/]*${handler}\s*=\s*["'\x60]?\s*${code}`, query, cookie),
  },
  {
    legacyId: '100022',
    description: 'XSS - code in a javascript: or vbscript: address',
    categories: ['xss'],
    expression: matchAny(String.raw`${javascript}${run}`, query, cookie),
  },
  {
    legacyId: '100022B',
    description: 'XSS - attribute with code in a javascript: address',
    categories: ['xss'],
    expression: matchAny(
      String.raw`(?:href|src|action|formaction|data|background|poster|xlink:href|to|values|from)\s*=\s*\\?["'\x60]?\s*${javascript}${run}`,
      body,
    ),
  },
  {
    legacyId: '100023',
    description: 'XSS - letters of an address hidden in character references',
    categories: ['xss'],
    expression: matchAny(
      String.raw`(?:href|src|action|data)\s*=\s*\\?["'\x60]?[^"'>\s]{0,24}&(?:#x0*(?:[4-7][0-9a-f]|9|a|d)\b|#0*(?:6[5-9]|[78]\d|9[07-9]|1[01]\d|12[0-2]|9|10|13)\b|tab;|newline;|colon;)[^"'>]*(?:\(|script|:)`,
      query,
      body,
    ),
  },
  {
    legacyId: '100024',
    description: 'XSS - markup that loads or runs something',
    categories: ['xss'],
    expression: matchAny(
      String.raw`${less}(?:iframe[^>]*\s(?:srcdoc\s*=|src\s*=\s*\\?["']?\s*(?:data|javascript|vbscript):)|object[^>]*\sdata\s*=\s*\\?["']?\s*(?:data|javascript):|embed[^>]*\ssrc\s*=\s*\\?["']?\s*(?:data:(?:text|image/svg)|javascript:)|base\s+href\s*=|meta[^>]*http-equiv\s*=\s*\\?["']?refresh|link[^>]*rel\s*=\s*\\?["']?import|(?:isindex|applet|bgsound|xss|marquee)[\s/][^>]*=|svg[^>]*>\s*<(?:script|animate|set|use|foreignobject)|math[^>]*>.{0,40}(?:xlink:)?href\s*=)`,
      query,
      body,
      cookie,
    ),
  },
  {
    legacyId: '100025',
    description: 'XSS - tag behind a quote or a bracket',
    categories: ['xss'],
    expression: matchAny(
      // In markup, the quote ends an attribute of a tag that stands before it.
      String.raw`(?:^|&)(?:[^=&]*=)?[^<&]*["'\x60](?:\s|/)*>\s*<\s*/?(?:svg|img|iframe|video|audio|body|input|details|math|object|embed|form|style|link|textarea|title|button|a)[\s/>]`,
      query,
      path,
    ),
  },
  {
    legacyId: '100026',
    description: 'XSS - JavaScript call that attackers try first',
    categories: ['xss'],
    expression: matchAny(
      String.raw`[<>"'\x60;({\[|+*-]\s*(?:(?:window|self|top|parent|globalthis)\s*(?:\.|\[['"]))?(?:alert|confirm|prompt)['"\]]*\s*(?:\?\.)?\s*(?:\(\s*(?:\d{1,8}|['"\x60]\w{0,24}['"\x60]|document\.\w+|origin|window\.\w+|/\w*/|string\.fromcharcode[^)]*)\s*\)|\x60\w{0,24}\x60)`,
      query,
      cookie,
    ),
  },
  {
    legacyId: '100027',
    description: 'XSS - reading or rewriting the document',
    categories: ['xss'],
    expression: confirm(
      'script',
      matchAny(
        String.raw`=[^&]*[;(+,<>{}'"\x60)=]\s*(?:\bdocument\s*(?:\.|\[\s*['"])\s*(?:cookie|domain|write(?:ln)?\s*\(|body\.innerhtml|location\s*=|documentelement|createelement\s*\()|\bwindow\s*(?:\.|\[\s*['"])\s*(?:location\s*['"\]]*\s*=|name\b\s*\)|onerror)|\blocalstorage\s*(?:\.\s*getitem|\[))`,
        query,
        cookie,
      ),
    ),
  },
  {
    legacyId: '100028',
    description: 'XSS - page in a data: address',
    categories: ['xss'],
    expression: matchAny(
      String.raw`\bdata\s*:\s*(?:text/(?:html|xml|javascript)|application/(?:xhtml\+?\s?xml|javascript)|image/svg\+?\s?xml)\s*(?:;[^,]{0,60})?,[^&]*(?:<|base64|script|phn2|pHNj)`,
      query,
    ),
  },
  {
    legacyId: '100028B',
    description: 'XSS - code put together from codes or Base64',
    categories: ['xss'],
    expression: matchAny(
      String.raw`\b(?:eval|settimeout|setinterval|function|execscript)\s*(?:\(|\x60)\s*(?:atob|string\.fromcharcode|unescape|decodeuri(?:component)?|location|name\b|window\.name|\w+\.slice)\b|string\s*\.\s*fromcharcode\s*\(\s*\d{2,3}\s*,`,
      query,
      cookie,
    ),
  },
  {
    legacyId: '100029',
    description: 'XSS - code in a style',
    categories: ['xss'],
    expression: matchAny(
      String.raw`style\s*=[^>]*(?:expression\s*\(|-moz-binding\s*:|behaviou?r\s*:\s*url\s*\(|javascript\s*:)|@import\s*['"]?\s*javascript:`,
      query,
      body,
    ),
  },
  {
    legacyId: '100029B',
    description: 'XSS - markup in UTF-7',
    categories: ['xss'],
    expression: matchAny(String.raw`(?:\+| )adw-(?:/|\+| )?[a-z]+.{0,200}(?:\+| )ad4-`, query, body),
  },
  {
    legacyId: '100029C',
    description: 'XSS - JavaScript without letters',
    categories: ['xss'],
    expression: matchAny(String.raw`!\[\][\[\]()!+ ]{24,}`, query, body),
  },
];
