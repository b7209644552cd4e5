/**
 * The possible problems of a ruleset or rule that a client sent. No check throws because of its input; checks note
 * problems, several at a time, each with a code, a text and the place in the input.
 */
import { CodedProblems, type JsonField } from '#shapes';

/**
 * From the catalogue of error codes. The first five, and the last, are Cloudflare's, whose clients match them; those
 * from 20901 on are ours.
 */
export const rulesetProblemCodes = {
  loggingNotAllowed: worded(20018, 'Only rules with the action `skip` have `logging`. Leave it out.'),
  expressionBlank: {
    code: 20125,
    status: 400,
    message: "'' is not a valid value for expression because the expression cannot be blank",
    advice: 'Send an `expression`. PATCH replaces the whole rule: also send the fields that should stay.',
  },
  expressionInvalid: {
    code: 20127,
    status: 400,
    message: "'{expression}' is not a valid value for expression because {reason}",
    advice: 'Carets mark the place that cannot be parsed, followed by the reason.',
  },
  entryPointExists: {
    code: 20217,
    status: 400,
    message:
      "'{kind}' is not a valid value for kind because exceeded maximum number of {kind} rulesets for phase {phase}",
    advice: 'Change the existing entry point with PUT …/rulesets/phases/{phase}/entrypoint.',
  },
  wrongType: worded(20901, 'Send a value of the type that the message names.'),
  unknownField: worded(20902, 'Leave the field out or correct its name.'),
  missingField: worded(20903, 'Send the field.'),
  outOfRange: worded(20904, 'Stay within the bounds that the message names.'),
  unknownChoice: worded(20905, 'Send one of the values that the message names.'),
  immutableField: worded(20906, 'Leave the field out; for another value, create another ruleset.'),
  notAvailable: worded(
    20907,
    'The phase, the kind of ruleset or the action does not support this; the message names what it supports.',
  ),
  notEntitled: worded(20908, 'Leave it out, or change the plan of the zone.'),
  wrongCombination: worded(20909, 'Send one of the two fields, or the one that is missing.'),
  notFound: worded(
    20910,
    'Name a ruleset, rule or category that exists: GET …/rulesets lists what can be deployed.',
  ),
  duplicate: worded(20911, 'Send it once.'),
  badPosition: worded(
    20912,
    'Give exactly one of `before`, `after` (ids of other rules) and `index` (from 1).',
  ),
  accountExpression: worded(20913, 'Write `(your expression) and cf.zone.plan eq "ENT"`.'),
  redirectLoop: worded(
    20914,
    'Exclude the target from the expression of the rule: `and http.request.uri.path ne "/new"`, or redirect to another host.',
  ),
  invalidTarget: worded(20915, 'Send what the message describes: it must be valid for every request.'),
  tooManyRules: {
    code: 50001,
    status: 400,
    message: 'exceeded the maximum number of rules in the phase {phase}: {count} out of {max}',
    advice: 'Delete or merge rules, or change the plan of the zone.',
  },
} as const;

export type ProblemName = keyof typeof rulesetProblemCodes;

/** A field of a body, read by its description; refusals use the names of the codes. */
export type BodyField<T> = JsonField<T, ProblemName>;

export function noProblems(): CodedProblems<ProblemName> {
  return new CodedProblems(rulesetProblemCodes);
}

/** A problem with a text from the checks. */
function worded(code: number, advice: string) {
  return { code, status: 400, message: '{reason}', advice };
}
