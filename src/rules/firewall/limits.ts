/** Bounds of rulesets, each with its reason. */
import type { Plan } from './plans/plans.ts';

/** Rules of the zone's own, in the custom phase as among the firewall rules: what each plan of Cloudflare includes. */
export const zoneRulesMax: Readonly<Record<Plan, number>> = {
  free: 5,
  pro: 20,
  business: 100,
  enterprise: 1000,
};

/** Of a custom ruleset of an account: Cloudflare documents 10 rulesets of 100 rules. */
export const customRulesetRulesMax = 100;

/** Of any other ruleset: the largest number Cloudflare has for any of them. */
export const rulesMax = 1000;

/**
 * What judging one request without a body may take, all rules of all phases and all readings of the request together: some
 * 100 ms.
 */
export const judgingStepsMax = 20_000_000;

/** Steps that each byte of an inspected body adds: the rules of CRS 4 take some 310 for a byte of ordinary JSON. */
const judgingStepsPerByte = 400;

/** What judging a request with so many bytes of a body may take. */
export function getJudgingSteps(bodyBytes: number): number {
  return judgingStepsMax + judgingStepsPerByte * bodyBytes;
}

/**
 * CPU time that judging one request without a body may take at the edge, whatever a step takes on this machine: half of
 * what ends a worker that hangs.
 */
export const judgingCpuMsMax = 250;

/** CPU time that each kilobyte of an inspected body adds: what its steps take on a machine of half the speed. */
const judgingCpuMsPerKilobyte = 4;

/** CPU time that judging a request with so many bytes of a body may take at the edge. */
export function getJudgingCpuMs(bodyBytes: number): number {
  return judgingCpuMsMax + (judgingCpuMsPerKilobyte * bodyBytes) / 1_000;
}

/**
 * What compiling the patterns of one API call may take, for all engines: half a second or more. A thousand rules with an
 * ordinary pattern each take half of it.
 */
export const compileStepsMax = 100_000_000;

/** Names are for people; Cloudflare publishes no bound. */
export const nameCharactersMax = 256;

/** Has room for a firewall rule's description (500) behind the words that migration puts before it. */
export const descriptionCharactersMax = 1024;

/** Identifiers are 32 hexadecimal digits; room for a client's own in places where any will do. */
export const idCharactersMax = 64;

/** A ref is a client's name for a rule: twice the length of those that tools derive from an id and a suffix. */
export const refCharactersMax = 128;

/** Of the body that a blocked client sees: Cloudflare's bound for the firewall. */
export const responseContentBytesMax = 2048;

/** Of the expressions that find user name and password: Cloudflare's bound. */
export const credentialExpressionCharactersMax = 1024;

/** Rule overrides of one deployment, and rules that one skip rule names: more than any managed ruleset has. */
export const ruleReferencesMax = 1000;

/** Category overrides of one deployment, and rulesets that one skip rule names. */
export const groupReferencesMax = 100;

/** Parts of a request that one skip rule hides: a form that needs more is better excepted as a whole. */
export const leftOutPartsMax = 50;

/** Explanations cut names at 200 characters; paths in JSON are longer than names of fields. */
export const leftOutNameCharactersMax = 512;

/** Scores of single rules are single digits; a threshold beyond this could never be reached. */
export const scoreThresholdMax = 10_000;

/** Parameters of phases that are stored and not evaluated: what they mean is not known here, only how much there is. */
export const opaqueParametersBytesMax = 32 * 1024;
export const opaqueParametersDepthMax = 16;

/** Rate limiting rules of a zone: what each plan of Cloudflare includes. */
export const rateRulesMax: Readonly<Record<Plan, number>> = { free: 1, pro: 2, business: 5, enterprise: 100 };

/** What requests are counted by: Cloudflare publishes no bound; each is a value that every request has to be asked for. */
export const characteristicsMax = 10;

/** Of the length of a window, and of the time that a visitor stays stopped, in seconds. */
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

/** Of one answer: Cloudflare's bound. */
export const rateScoreMax = 1_000_000;

/** Of the body that a client sees who comes too often: Cloudflare's bound for rate limits. */
export const rateResponseContentBytesMax = 30 * 1024;

/** Rules of a zone in each phase that changes requests or answers: what each plan of Cloudflare includes. */
export const changeRulesMax: Readonly<Record<Plan, number>> = {
  free: 10,
  pro: 25,
  business: 50,
  enterprise: 300,
};

/** Of a path or query that a rule writes: half of what the edge takes as the target of a request. */
export const rewrittenUriBytesMax = 8 * 1024;

/** Fields that one rule changes: Cloudflare's bound. */
export const headerOperationsMax = 30;

/** Names of fields are words; the longest that is registered has 40 characters. */
export const headerNameCharactersMax = 100;

/** Of a name with a port: a name of the DNS has up to 253. */
export const hostCharactersMax = 260;

/** Of one value that a rule writes into a field: what most servers take as one line. */
export const headerValueBytesMax = 8 * 1024;

/** Of the URL that a rule redirects to: what the edge itself takes as the target of a request. */
export const locationBytesMax = 16 * 1024;

/** Of an answer in place of an error, as Cloudflare has it. */
export const errorContentMax = 10 * 1024;

/** How long a visitor may wait for what others say about the request: people notice more. */
export const askedMsMax = 10_000;
export const askedMsDefault = 500;

/** How long an answer about a visitor may be kept: what is older is better written down as a rule. */
export const keptSecondsMax = 3_600;

/** Fields that one question has, or the origin gets from its answer. */
export const askedFieldsMax = 20;

/** Of the URL that is asked: its path and query are the same for every question. */
export const askedUrlCharactersMax = 2_048;

/** Of the name of an object that is asked: Cloudflare's bound of names of objects is the same. */
export const objectNameBytesMax = 1_024;
