/**
 * What can be wrong with a ruleset or rule that a client sent. Nothing here throws for input; checks note problems, several at a
 * time, each with a code, a text and the place in the input.
 */
import { CodedProblems, type JsonField } from '#shapes';

/**
 * Of the catalogue of error codes. The first four are Cloudflare's, whose clients match them, and so is the last; those from 20901
 * on are ours. The checks word what they find, so most messages here are `{reason}`.
 */
export const rulesetProblemCodes = {
  loggingNotAllowed: {
    code: 20018,
    status: 400,
    message: '{reason}',
    advice: 'Only rules with the action `skip` have `logging`. Leave it out.',
  },
  expressionBlank: {
    code: 20125,
    status: 400,
    message: "'' is not a valid value for expression because the expression cannot be blank",
    advice: 'Send an `expression`. PATCH replaces the whole rule: send what is to stay, too.',
  },
  expressionInvalid: {
    code: 20127,
    status: 400,
    message: "'{expression}' is not a valid value for expression because {reason}",
    advice: 'The carets stand under the place that cannot be read, the reason after them.',
  },
  entryPointExists: {
    code: 20217,
    status: 400,
    message:
      "'{kind}' is not a valid value for kind because exceeded maximum number of {kind} rulesets for phase {phase}",
    advice: 'Change the entry point there is with PUT …/rulesets/phases/{phase}/entrypoint.',
  },
  wrongType: {
    code: 20901,
    status: 400,
    message: '{reason}',
    advice: 'Send a value of the type that the message names.',
  },
  unknownField: {
    code: 20902,
    status: 400,
    message: '{reason}',
    advice: 'Leave the field out or correct its name.',
  },
  missingField: { code: 20903, status: 400, message: '{reason}', advice: 'Send the field.' },
  outOfRange: {
    code: 20904,
    status: 400,
    message: '{reason}',
    advice: 'Stay within the bounds that the message names.',
  },
  unknownChoice: {
    code: 20905,
    status: 400,
    message: '{reason}',
    advice: 'Send one of the values that the message names.',
  },
  immutableField: {
    code: 20906,
    status: 400,
    message: '{reason}',
    advice: 'Leave the field out; create another ruleset to have another value.',
  },
  notAvailable: {
    code: 20907,
    status: 400,
    message: '{reason}',
    advice: 'The phase, the kind of ruleset or the action has no such thing; the message names what it has.',
  },
  notEntitled: {
    code: 20908,
    status: 400,
    message: '{reason}',
    advice: 'Do without it, or change the plan of the zone.',
  },
  wrongCombination: {
    code: 20909,
    status: 400,
    message: '{reason}',
    advice: 'Send one of the two fields, or the one that is missing.',
  },
  notFound: {
    code: 20910,
    status: 400,
    message: '{reason}',
    advice: 'Name a ruleset, rule or category that exists: GET …/rulesets lists what can be deployed.',
  },
  duplicate: { code: 20911, status: 400, message: '{reason}', advice: 'Send it once.' },
  badPosition: {
    code: 20912,
    status: 400,
    message: '{reason}',
    advice: 'Give exactly one of `before`, `after` (ids of other rules) and `index` (from 1).',
  },
  accountExpression: {
    code: 20913,
    status: 400,
    message: '{reason}',
    advice: 'Write `(your expression) and cf.zone.plan eq "ENT"`.',
  },
  tooManyRules: {
    code: 50001,
    status: 400,
    message: 'exceeded the maximum number of rules in the phase {phase}: {count} out of {max}',
    advice: 'Delete or join rules, or change the plan of the zone.',
  },
} as const satisfies Record<string, ProblemCode>;

interface ProblemCode {
  readonly code: number;
  /** Of the HTTP answer. */
  readonly status: number;
  readonly message: string;
  /** What the person who gets it can do. */
  readonly advice: string;
}

export type ProblemName = keyof typeof rulesetProblemCodes;

/** A field of a body, read by its description and refused by the names of the codes. */
export type Field<T> = JsonField<T, ProblemName>;

export function noProblems(): CodedProblems<ProblemName> {
  return new CodedProblems(rulesetProblemCodes);
}
