import type { Plan } from '#expressions';

/** Of an answer in an envelope: two bytes each at most, and less than what passes between objects. */
export const answerCharactersMax = 15 * 1024 * 1024;

/** Of answers to reads, all objects together; a page of 100 rules has some 34,000. */
export const rememberedCharactersMax = 32 * 1024 * 1024;

/** Filters of a zone, used or not: five for each firewall rule that the largest plan includes. */
export const filtersMax = 5000;

/** Page rules of a zone, disabled ones included: what each plan of the original includes. */
export const pageRulesMax: Readonly<Record<Plan, number>> = {
  free: 3,
  pro: 20,
  business: 50,
  enterprise: 125,
};

/** URI-based overrides of a zone: each is tried on every request, and the original publishes no bound. */
export const overridesMax = 100;

/** Of one phase: the original documents ten for each account. */
export const customRulesetsMax = 10;

/** Of a ruleset as JSON: a line of the audit log may hold what it was and what it is, and a row 8 MiB. */
export const rulesetBytesMax = 3 * 1024 * 1024;

/** Of all rulesets of a zone or of the account: the edge is told them in one answer, and no answer of an object has 32 MiB. */
export const rulesetsBytesMax = 8 * 1024 * 1024;

/** Of each ruleset: years of edits by hand, weeks of a pipeline's. Far more would be bytes that nobody reads. */
export const rulesetVersionsMax = 1000;
export const rulesetVersionsBytesMax = 32 * 1024 * 1024;

/** Rules that one answer names, and how much of what each is called: enough to recognise them. */
export const rulesNamedMax = 20;
export const namedTextCharactersMax = 80;

/** Firewall rules that bypass the previous managed rules, and bytes of the expression of each: the original's bounds. */
export const migratedRulesMax = 200;
export const migratedExpressionBytesMax = 4096;

/** How soon a task that failed is tried again, the first time and after many times. */
export const taskRetryMsMin = 1_000;
export const taskRetryMsMax = 10 * 60 * 1_000;

/** How soon a migration is finished that waits for the new rules to be in force. */
export const finishRetryMs = 10_000;

/** Lists of an account, by the largest plan among its zones. */
export const listsMax: Readonly<Record<Plan, number>> = { free: 1, pro: 10, business: 10, enterprise: 10 };

/** Items of all lists of an account together. */
export const listItemsMax = 10_000;

/** Each may hold as many items as the account may have, and waits in the database. */
export const bulkOperationsOpenMax = 20;

/** Of so many bulk operations one can ask what became of them; clients ask within seconds. */
export const bulkOperationsKeptMax = 1_000;

/** All of them are in memory, and copied when one of them changes. */
export const zonesMax = 1000;
export const tokensPerOwnerMax = 500;

/** Of a token's policies and condition: as many tokens as there may be fit twice into what one object can tell another. */
export const tokenBytesMax = 16 * 1024;

/** Users who are counted, or addresses that failed to say who they are: some hundred bytes each. */
export const rateLimitedMax = 10_000;

/** Entries of the audit log, and bytes of them, that are checked in one turn of an object: some milliseconds. */
export const auditCheckMax = 500;
export const auditCheckBytesMax = 4 * 1024 * 1024;

/** Of each value that a list of the audit log shows: whole rules and filters. Rulesets are longer, and a page has 1,000. */
export const auditValueCharactersMax = 16 * 1024;

/** Entries that an object tells at a time: so many of the longest fit into one answer. */
export const auditEntriesAskedMax = 250;

/** How far back pages of the audit log reach: every trail lists so many places to find those of the page. */
export const auditDepthMax = 10_000;

/** Deleted zones whose audit logs are asked without being named; each has to be woken for it. */
export const formerZonesAskedMax = 1000;

/** Zones that are asked something at the same time; each has to be in memory for it. */
export const zonesAskedAtOnceMax = 16;
