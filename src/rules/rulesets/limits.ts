/** Limits of rulesets, each with its reason. */
import type { Plan } from './plans/plans.ts';

/**
 * The zone's own rules, both in the custom phase and among the firewall rules: the numbers that each plan of Cloudflare
 * includes.
 */
export const zoneRulesMax: Readonly<Record<Plan, number>> = {
  free: 5,
  pro: 20,
  business: 100,
  enterprise: 1000,
};

/** Rules in a custom ruleset of an account: Cloudflare documents 10 rulesets of 100 rules. */
export const customRulesetRulesMax = 100;

/** Rules in any other ruleset: the largest number Cloudflare has for any of them. */
export const rulesMax = 1000;

/**
 * Steps for judging one request without a body, for all rules of all phases and all readings of the request together:
 * some 100 ms.
 */
export const judgingStepsMax = 20_000_000;

/** Steps that each byte of an inspected body adds: the rules of CRS 4 take some 310 for a byte of ordinary JSON. */
const judgingStepsPerByte = 400;

/** Steps for judging a request with an inspected body of this size. */
export function getJudgingSteps(bodyBytes: number): number {
  return judgingStepsMax + judgingStepsPerByte * bodyBytes;
}

/**
 * CPU time for judging one request without a body at the edge, whatever a step takes on this machine: half of the time
 * after which a hanging worker is killed.
 */
export const judgingCpuMsMax = 250;

/** CPU time that each kilobyte of an inspected body adds: the time for its steps on a machine of half the speed. */
const judgingCpuMsPerKilobyte = 4;

/** CPU time for judging a request with an inspected body of this size at the edge. */
export function getJudgingCpuMs(bodyBytes: number): number {
  return judgingCpuMsMax + (judgingCpuMsPerKilobyte * bodyBytes) / 1_000;
}

/**
 * Steps for compiling the patterns of one API call, for all engines: half a second or more. A thousand rules with an
 * ordinary pattern each take half of it.
 */
export const compileStepsMax = 100_000_000;

/** Names are for display; Cloudflare publishes no limit. */
export const nameCharactersMax = 256;

/** Has room for a firewall rule's description (500) after the prefix that migration adds. */
export const descriptionCharactersMax = 1024;

/** Identifiers are 32 hexadecimal digits; there is room for a client's own where any text is accepted. */
export const idCharactersMax = 64;

/** A ref is a client's name for a rule: twice the length of those that tools derive from an id and a suffix. */
export const refCharactersMax = 128;

/** Size of the body that a blocked client receives: Cloudflare's limit for the firewall. */
export const responseContentBytesMax = 2048;

/** Length of the expressions that find user name and password: Cloudflare's limit. */
export const credentialExpressionCharactersMax = 1024;

/** Rule overrides of one deployment, and rules that one skip rule names: more than any managed ruleset has. */
export const ruleReferencesMax = 1000;

/** Category overrides of one deployment, and rulesets that one skip rule names. */
export const groupReferencesMax = 100;

/** Parts of a request that one skip rule hides: a form that needs more is better skipped as a whole. */
export const leftOutPartsMax = 50;

/** Explanations truncate names at 200 characters; paths in JSON are longer than names of fields. */
export const leftOutNameCharactersMax = 512;

/** Scores of single rules are single digits; a threshold beyond this could never be reached. */
export const scoreThresholdMax = 10_000;

/** Parameters of phases that are stored and not evaluated: only their size is checked here. */
export const opaqueParametersBytesMax = 32 * 1024;
export const opaqueParametersDepthMax = 16;

/** Rate limiting rules of a zone: what each plan of Cloudflare includes. */
export const rateRulesMax: Readonly<Record<Plan, number>> = { free: 1, pro: 2, business: 5, enterprise: 100 };

/** Characteristics of a rate limit: Cloudflare publishes no limit; each value must be read from every request. */
export const characteristicsMax = 10;

/** Lengths of a window, and of the time that a visitor stays stopped, in seconds. */
export const ratePeriods = [
  10, 15, 20, 30, 40, 45, 60, 90, 120, 180, 240, 300, 480, 600, 900, 1_200, 1_800, 2_400, 3_600, 65_535,
  86_400,
] as const;
export const ratePeriodMax: Readonly<Record<Plan, number>> = {
  free: 10,
  pro: 60,
  business: 600,
  enterprise: 65_535,
};
export const rateTimeoutMax: Readonly<Record<Plan, number>> = {
  free: 10,
  pro: 3_600,
  business: 86_400,
  enterprise: 86_400,
};

/** Requests in one window: more than a process can serve. */
export const rateRequestsMax = 1_000_000_000;

/** The score of one response: Cloudflare's limit. */
export const rateScoreMax = 1_000_000;

/** Size of the body that a client over a rate limit receives: Cloudflare's limit for rate limits. */
export const rateResponseContentBytesMax = 30 * 1024;

/**
 * Rules of a zone in each phase that changes requests or responses: the numbers that each plan of Cloudflare includes.
 */
export const changeRulesMax: Readonly<Record<Plan, number>> = {
  free: 10,
  pro: 25,
  business: 50,
  enterprise: 300,
};

/** Size of a path or query that a rule writes: half of the edge's limit for the target of a request. */
export const rewrittenUriBytesMax = 8 * 1024;

/** Fields that one rule changes: Cloudflare's limit. */
export const headerOperationsMax = 30;

/** Names of fields are words; the longest registered one has 40 characters. */
export const headerNameCharactersMax = 100;

/** Length of a name with a port: a DNS name has up to 253 characters. */
export const hostCharactersMax = 260;

/** Size of one value that a rule writes into a field: most servers accept this much in one line. */
export const headerValueBytesMax = 8 * 1024;

/** Size of the URL that a rule redirects to: the edge's limit for the target of a request. */
export const locationBytesMax = 16 * 1024;

/** Size of a response in place of an error: Cloudflare's limit. */
export const errorContentMax = 10 * 1024;

/** How long a visitor may wait for the answer to a question: longer waits are noticed. */
export const askedMsMax = 10_000;
export const askedMsDefault = 500;

/** How long an answer about a visitor may be cached: a longer-lived one is better written down as a rule. */
export const keptSecondsMax = 3_600;

/** Fields that one question contains, or that the origin gets from its answer. */
export const askedFieldsMax = 20;

/** Length of the URL that is asked: its path and query are the same for every question. */
export const askedUrlCharactersMax = 2_048;

/** Size of the name of an object that is asked: the same as Cloudflare's limit for names of objects. */
export const objectNameBytesMax = 1_024;
