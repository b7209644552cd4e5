/** XML that makes its parser load files: external entities and document types, inclusions, style sheets. */
import type { Detector } from '../finding.ts';
import { Shapes } from '../shapes.ts';

const shapes = new Shapes([
  [
    /<!ENTITY\s{1,20}(?:%\s{1,20})?[\w.:-]{1,80}\s{1,20}(?:SYSTEM|PUBLIC)\b/i,
    95,
    'an entity of another place',
  ],
  [/<!ENTITY\s{1,20}%\s{1,20}[\w.:-]{1,80}\s{1,20}["']/i, 90, 'an entity of the document type'],
  [
    /<!ENTITY\s{1,20}[\w.:-]{1,80}\s{1,20}["'][^"']{0,200}&[\w.:-]{1,80};[^"']{0,200}&[\w.:-]{1,80};/i,
    92,
    'an entity of entities',
  ],
  [
    /<!DOCTYPE\s{1,20}[\w.:-]{1,80}\s{1,20}(?:SYSTEM\s{1,20}["'](?!about:legacy)[^"']{1,400}["']|PUBLIC\s{1,20}["'](?!-\/\/(?:W3C|IETF|WAPFORUM|OASIS|Apple|Sun|Hibernate|Google|Apache|mybatis|JBoss))[^"']{0,200}["'])/i,
    86,
    'a document type of another place',
  ],
  [/<!DOCTYPE[^<>[]{0,200}\[\s{0,20}<!(?:ENTITY|ELEMENT|ATTLIST)/i, 82, 'a document type of its own'],
  [/<xi:include\b[^<>]{0,300}href\s{0,4}=/i, 90, 'an inclusion'],
  [
    /<xsl:(?:value-of|include|import|copy-of)\b[^<>]{0,200}(?:document\s?\(|system-property|href\s{0,4}=|unparsed-text|php:function|java:)/i,
    90,
    'a style sheet that loads or calls something',
  ],
  [
    /\bxmlns:\w+\s{0,4}=\s{0,4}["'](?:http:\/\/php\.net\/xsl|http:\/\/xml\.apache\.org\/xalan\/java|urn:schemas-microsoft-com:xslt)/i,
    88,
    'an extension that calls functions',
  ],
  [
    /<\?xml-stylesheet\b[^<>]{0,300}href\s{0,4}=\s{0,4}["'](?:https?:|file:|\/\/|javascript:|data:)/i,
    82,
    'a foreign style sheet',
  ],
]);

export const detectXml: Detector = (text) => {
  for (const [shape, confidence, why] of shapes.in(text)) {
    const found = shape.exec(text);
    if (found !== null) return { confidence, why, start: found.index, end: found.index + found[0].length };
  }
  return undefined;
};
