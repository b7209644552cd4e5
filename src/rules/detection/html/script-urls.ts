/** Addresses that run code when they are opened: `javascript:`, `vbscript:`, pages in `data:`. */

/** Browsers ignore control characters and spaces before the scheme, and line breaks and tabs inside of it. */
const scheme = /^[\0-\x20]*((?:[a-z][\t\r\n\0]*){4,12}):/i;

/** Code of links that do nothing. */
const idle =
  /^\s*(?:(?:void(?:\s*\(?\s*(?:0|null)\s*\)?)?|history\.(?:back|go)\(-?\d*\)|window\.print\(\)|;|#|\/\/|undefined|false|null)\s*;?\s*)?$/i;

/** "javascript:void(0) appears in the status bar" */
const sentenceEnd = /(?<=[\w)])\s+[a-z]{2,20}(?:\s+[a-z]{2,20}){0,12}\s*[.!?]?$/i;

const sentenceCharactersMax = 300;

/** Whether opening the address runs what it contains. */
export function isScriptUrl(address: string): boolean {
  const found = scheme.exec(address);
  if (found === null) return false;
  const name = found[1]!.replaceAll(/[\0-\x20]/g, '').toLowerCase();
  const code = address.slice(found[0].length);
  const end = Math.max(0, code.length - sentenceCharactersMax);
  const rest = code.slice(0, end) + code.slice(end).replace(sentenceEnd, '');
  if (name === 'javascript' || name === 'livescript' || name === 'mocha')
    return !idle.test(rest) && looksLikeCode(rest);
  if (name === 'vbscript') return /[(\w]/.test(rest) && looksLikeCode(rest);
  return (
    name === 'data' &&
    /^\s*(?:text\/(?:html|xml|javascript|ecmascript)|application\/(?:xhtml\+xml|javascript|xml)|image\/svg\+xml)/i.test(
      rest,
    ) &&
    /[<;,]/.test(rest)
  );
}

/** "JavaScript: The Good Parts" is a title. */
function looksLikeCode(rest: string): boolean {
  return (
    !/^\s+[A-Z]?[a-z]+(?:\s+[A-Za-z]+)*\s*[.!?]?$/.test(rest) &&
    /[(=`[{+]|\/\/|\/\*|^\s*\w+\s*$/.test(rest) &&
    !/^ [a-z]+ [a-z]+/i.test(rest)
  );
}
