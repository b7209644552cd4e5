/** Operators and JavaScript for document databases, in values and in names. */
import type { Detector, DetectorReading } from '../finding.ts';
import { Shapes } from '../shapes.ts';

const shapes = new Shapes([
  [
    /^\s{0,8}\{\s{0,8}["']?\$(?:ne|gt|gte|lt|lte|nin|in|regex|exists|where|not)["']?\s{0,8}:\s{0,8}(?:["'\d[{/]|null|true|undefined)/i,
    86,
    'an operator in place of a value',
  ],
  [
    /["'](?:user(?:_?name)?|login|e-?mail|pass(?:word|wd)?|pwd|token|otp|pin|secret)["']\s{0,8}:\s{0,8}\{\s{0,8}["']?\$(?:ne|gte?|lte?|n?in|regex|exists|where|not)\b/i,
    86,
    'an operator in place of a credential',
  ],
  [
    /["']?\$where["']?\s{0,8}[:=]\s{0,8}["'`]?\s{0,8}(?:function|this\.|return|sleep|\(|1\b|["'])/i,
    92,
    'JavaScript in a query',
  ],
  [
    /['"]\s{0,8}(?:\|\||&&)\s{0,8}(?:this\.\w+\s{0,4}(?:[=!]=|\.match|\.length|[<>[])|['"]\w{0,20}['"]\s{0,8}={2,3}\s{0,8}['"]|\d+\s{0,8}={2,3}\s{0,8}\d+|true\b)/i,
    92,
    'a condition behind a quote',
  ],
  [
    /['"]\s{0,8},\s{0,8}["']?\$(?:or|and|nor|where|ne|gt|regex|in)["']?\s{0,8}:/i,
    90,
    'an operator behind a quote',
  ],
  [
    /[;}]\s{0,8}return\s{0,8}(?:true|1|this\.|\()[^a-z]{0,20}(?:true|1)?[^a-z]{0,20}(?:var|\/\/|\}|;|$)/i,
    88,
    'a return behind the end of a condition',
  ],
  [
    /(?:['"]\s{0,8};|^\d*\s{0,4};|\breturn)\s{0,8}db\.(?:\w{1,40}\.)?\w{2,40}\s{0,4}\(/,
    88,
    'a command of a document database',
  ],
  [
    /^\s{0,8}db\.(?:\w{1,40}\.)?(?:drop|dropDatabase|remove|deleteMany|deleteOne|insertMany|insertOne|updateMany|updateOne|eval|runCommand)\s{0,4}\([^]{0,200}\)\s{0,4};?\s{0,4}$/,
    84,
    'a command of a document database',
  ],
  [
    /\bdb\.(?:\w{1,40}\.)?(?:find|insert|drop|remove|update|eval|runCommand)\w*\s{0,4}\(/,
    60,
    'a command of a document database',
  ],
  [
    /['"]\s{0,8}[;|&)}+]{1,3}\s{0,8}(?:sleep\s{0,4}\(\s{0,4}\d|while\s{0,4}\(\s{0,4}(?:true|1)|var\s{1,8}\w+\s{0,4}=\s{0,4}new\s{1,8}Date)/,
    88,
    'code that waits behind a quote',
  ],
  [
    /\bthis\.(?:password|pass|passwd|username|user|email|token)\s{0,4}(?:\.match|={2,3}|!=|\[)/i,
    84,
    'a field of the document in a condition',
  ],
  [
    /^\s{0,8}function\s{0,8}\([^)]{0,40}\)\s{0,8}\{[^]{0,200}\b(?:emit|this|return)\b/,
    84,
    'a function for a query',
  ],
  [/[\w\]]\[\$(?:gt|ne|regex|where|nin)\]\s{0,4}=/i, 82, 'an operator in a name'],
  [
    /^[^\r\n]{0,200}[\r\n]+\s{0,4}(?:CONFIG\s+SET|FLUSH(?:ALL|DB)|SLAVEOF|EVAL\s|SET\s+\w+\s+\S+[\r\n]|MODULE\s+LOAD|set\s+\w+\s+\d+\s+\d+\s+\d+[\r\n])/,
    88,
    'a line for a key-value store',
  ],
]);

export const detectNosql: Detector = (text) => {
  for (const [shape, confidence, why] of shapes.in(text)) {
    const found = shape.exec(text);
    if (found === null) continue;
    const reading: DetectorReading = {
      confidence,
      why,
      start: found.index,
      end: found.index + found[0].length,
    };
    return text.length > 1_000 ? { ...reading, confidence: Math.min(confidence, 60) } : reading;
  }
  return undefined;
};

/** Names of values that an operator must not replace. */
const credential = /(?:user(?:_?name)?|login|e-?mail|pass(?:word|wd)?|pwd|token|code|otp|pin|secret|key)$/i;
const operator =
  /(?:^|[[.])\$(ne|eq|gte?|lte?|n?in|regex|where|exists|or|and|nor|not|type|expr|elemMatch|function|accumulator|lookup|out|merge)\]?(?:[[.].*)?$/i;

const codeOperator = /(?:^|[[.])\$(where|function|accumulator)(?=$|[\].[])/i;

/** The name of an argument, or the path of a JSON value: `password[$ne]`, `user.password.$gt`. */
export function detectNosqlName(name: string): DetectorReading | undefined {
  if (!name.includes('$')) return undefined;
  const found = codeOperator.exec(name) ?? operator.exec(name);
  if (found === null) return undefined;
  const isCredential = credential.test(name.slice(0, found.index).replaceAll(/[\]\d.[]+$/g, ''));
  const isCode = /^(?:where|function|accumulator|lookup|out|merge)$/i.test(found[1]!);
  return {
    confidence: isCode ? 90 : isCredential ? 88 : 50,
    why: `the operator $${found[1]!} in a name`,
    start: found.index,
    end: found.index + found[0].length,
  };
}
