/**
 * Line injection: a value that ends its own line and adds a header to a response or to a mail. A text of several lines
 * is a text; only a single value directly followed by a header counts.
 */
import type { Detector } from '../finding.ts';
import { isProse } from '../prose.ts';

const responseLine =
  /^[^\r\n]{0,300}?(?:\r\n|\r|\n|\xe5\x98\x8a\xe5\x98\x8d)\s{0,4}(?:(?:set-cookie|content-(?:length|type|disposition|encoding)|transfer-encoding|refresh|link|x-[\w-]{2,40}|access-control-[\w-]{2,40}|content-security-policy)\s?:\s?\S|location\s?:\s?(?:https?:|\/|\S{1,80}\.\S)|http\/[\d.]{1,3}\s\d{3}|(?:get|post|head|put|delete)\s\/\S{0,200}\shttp\/)/i;
const mailLine =
  /^[^\r\n\s]{0,200}[\r\n]+\s{0,4}(?:bcc|cc|to|from|reply-to|subject|content-type|mime-version)\s?:\s?\S/i;
const blankLine = /^[^\r\n\s]{0,200}\r\n\r\n\s{0,4}<(?:html|script|body|!doctype)/i;

/** Messages are longer. */
const linesMax = 8;

/**
 * Whether every line is a header, except for a first one that starts a request or a response: a copy of headers, not an
 * injection.
 */
function isHeaderDump(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const isStart = /^(?:HTTP\/[\d.]{1,3} \d{3}\b|[A-Z]{3,10} \S{1,2000} HTTP\/[\d.]{1,3}$)/.test(
    lines[0] ?? '',
  );
  return lines.length > 1 && lines.every((line, index) => (index === 0 && isStart) || headerLine.test(line));
}

const headerLine = /^[A-Za-z][\w-]{0,60}:(?:\s|$)/;

export const detectLines: Detector = (text) => {
  if (!/[\r\n]|\xe5\x98\x8a/.test(text) || text.length > 2_000) return undefined;
  if (text.split('\n', linesMax + 1).length > linesMax) return undefined;
  const found = responseLine.exec(text) ?? mailLine.exec(text) ?? blankLine.exec(text);
  if (found === null || isHeaderDump(text)) return undefined;
  // "Hello,\nLocation: main hall" is a message.
  const isTalk = /\w\s+\w/.test(/^[^\r\n]*/.exec(text)![0]) || isProse(text);
  return {
    confidence: isTalk ? 55 : 86,
    why: 'a header behind the end of a line',
    start: 0,
    end: found[0].length,
  };
};
