/**
 * JSON bodies and query parameters, read by description: a single definition reads a body, reports each mistake with
 * its JSON pointer, and is the schema for the OpenAPI document.
 *
 * ```ts
 * const filter = object({ expression: text({ max: 4096 }), paused: optional(flag()) });
 * const problems: Problem[] = [];
 * const value = filter.read(JSON.parse(body), '', problems); // to be trusted only while problems is empty
 * ```
 */
export {
  constant,
  deleted,
  either,
  fields,
  json,
  listOf,
  mapOf,
  nothing,
  number,
  record,
  string,
  timestamp,
  typed,
  whole,
} from './shapes/answers.ts';
export { type Checked, type CodedProblem, CodedProblems } from './shapes/coded-problems.ts';
export { type Examined, examined, isFieldSound, isRestSound } from './shapes/examined.ts';
export { type JsonResult, readJson, readJsonInPieces } from './shapes/json.ts';
export { JsonField } from './shapes/json-field.ts';
export { problemsMax } from './shapes/limits.ts';
export { moment, momentParameter, parseMoment } from './shapes/moments.ts';
export { named } from './shapes/named.ts';
export { orderParameters } from './shapes/order.ts';
export {
  choiceParameter,
  countParameter,
  flagParameter,
  pageParameters,
  type Parameter,
  type Parameters,
  type ParametersOf,
  repeatedParameter,
  textParameter,
} from './shapes/parameters.ts';
export {
  annotate,
  choice,
  decimal,
  flag,
  integer,
  nullable,
  readElsewhere,
  text,
  unread,
} from './shapes/scalars.ts';
export {
  type JsonSchema,
  pointerTo,
  type Problem,
  type Sent,
  type Shape,
  type Shaped,
} from './shapes/shape.ts';
export {
  array,
  arrayOrOne,
  ignored,
  map,
  object,
  optional,
  type OptionalShape,
} from './shapes/structures.ts';
