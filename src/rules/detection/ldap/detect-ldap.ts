/**
 * LDAP filters: a parenthesis that the text has not opened ends the application's own filter, and another one starts
 * after it.
 */
import type { Detector } from '../finding.ts';

const attribute =
  /\(\s{0,4}[&|!]?\s{0,4}(?:\(\s{0,4}[&|!]?\s{0,4}){0,4}([a-z][\w-]{0,40}|\d)\s{0,4}(?:=|~=|>=|<=|:=)\s{0,4}[^)]{0,80}|\(\s{0,4}[&|]\s{0,4}\)?(?=\(|$|\)|\0)/iy;
const known =
  /^(?:uid|cn|sn|ou|dc|mail|objectclass|objectcategory|samaccountname|userpassword|memberof|givenname|department|password|pass|username|user|name|telephonenumber|userprincipalname|admin\w*|description|homedirectory|zone|ref|member|o|c|l|useraccountcontrol)$/i;

/** Conditions of XPath, the other query language of directories; "and/or" is a word. */
const xpath =
  /['"]\s{0,4}\]?\s{0,4}(?:\|\s{0,4}|\b(?:or|and)\b(?:\s{1,4}|(?=\/\/)))(?:[\w-]{1,30}\(\s{0,4})?\/\/?[\w*@.]|['"]\]\s{0,4}\|\s{0,4}\/|\bor\s{1,4}(?:count|string-length|substring|name|starts-with|contains)\(\s{0,4}\/|(?:ancestor|child|descendant|following|parent|preceding)(?:-or-self|-sibling)?::(?:\*|node\s?\(|text\s?\()/i;

export const detectLdap: Detector = (text) => {
  if (text.length > 2_000) return undefined;
  const path = xpath.exec(text);
  if (path !== null)
    return {
      confidence: 88,
      why: 'a path of XPath behind a quote',
      start: path.index,
      end: path.index + path[0].length,
    };
  if (!/[)*(]\s{0,4}\(|\*\)|\)\0/.test(text)) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '(') depth++;
    if (character !== ')') continue;
    if (--depth >= 0) continue;
    depth = 0;
    const rest = /^[)\s*]*/.exec(text.slice(at + 1, at + 20))![0].length;
    attribute.lastIndex = at + 1 + rest;
    const found = attribute.exec(text);
    if (found !== null && (found[1] === undefined || known.test(found[1]) || /^\d$/.test(found[1]))) {
      return {
        confidence: 90,
        why: 'another filter behind the end of the first',
        start: at,
        end: attribute.lastIndex,
      };
    }
    if (/^\)?\0/.test(text.slice(at + 1, at + 3)) && text[at - 1] === '*')
      return { confidence: 88, why: 'the end of a filter and a null', start: at - 1, end: at + 2 };
  }
  const whole = /^\s{0,8}\*?\(\s{0,4}[&|]\s{0,4}\(\s{0,4}(\w[\w-]{0,40})\s{0,4}=/.exec(text);
  return whole !== null && known.test(whole[1]!)
    ? { confidence: 82, why: 'a filter of a directory', start: 0, end: whole[0].length }
    : undefined;
};
