import type { Plan } from '#rulesets';

/**
 * The largest response in the envelope. A character takes at most two bytes, so this stays below the limit of a call
 * between objects.
 */
export const answerCharactersMax = 15 * 1024 * 1024;

/**
 * Writes that an object answers in one turn: at a tenth of a millisecond each, other calls wait for a few milliseconds.
 */
export const batchedWritesMax = 32;

/** Answers that leave an object together; beyond this, the next calls wait for the next turn. */
export const batchedAnswerCharactersMax = 256 * 1024;

/** The total size of all cached responses to reads; a page of 100 rules has about 34,000 characters. */
export const rememberedCharactersMax = 32 * 1024 * 1024;

/** Filters of a zone, including unused ones: five for each firewall rule that the largest plan includes. */
export const filtersMax = 5000;

/** Page rules of a zone, including disabled ones: what each of Cloudflare's plans includes. */
export const pageRulesMax: Readonly<Record<Plan, number>> = {
  free: 3,
  pro: 20,
  business: 50,
  enterprise: 125,
};

/** IP access rules of a zone, or of the account and its users: what Cloudflare documents for an account. */
export const accessRulesMax = 50_000;

/** Zone lockdown rules, including paused ones: what each of Cloudflare's plans includes. */
export const lockdownsMax: Readonly<Record<Plan, number>> = {
  free: 0,
  pro: 3,
  business: 10,
  enterprise: 200,
};

/** User agent rules, including paused ones: what each of Cloudflare's plans includes. */
export const userAgentRulesMax: Readonly<Record<Plan, number>> = {
  free: 10,
  pro: 50,
  business: 250,
  enterprise: 1000,
};

/** URI-based overrides of a zone. Each one is tried on every request, and Cloudflare publishes no limit. */
export const overridesMax = 100;

/** Custom rulesets of one phase: Cloudflare documents ten per account. */
export const customRulesetsMax = 10;

/**
 * The size of a ruleset as JSON: an entry of the audit log may hold the old and the new version, and a row has at most
 * 8 MiB.
 */
export const rulesetBytesMax = 3 * 1024 * 1024;

/**
 * The total of all rulesets of a zone or of the account: the edge reads them in one answer, which must stay below 32
 * MiB.
 */
export const rulesetsBytesMax = 8 * 1024 * 1024;

/** Stored versions of each ruleset: enough for years of manual edits, or for weeks of edits by a pipeline. */
export const rulesetVersionsMax = 1000;
export const rulesetVersionsBytesMax = 32 * 1024 * 1024;

/** Rules that one message names, and how much of each name it shows: enough to recognise them. */
export const rulesNamedMax = 20;
export const namedTextCharactersMax = 80;

/** Firewall rules that bypass the legacy managed rules, and bytes of the expression of each: Cloudflare's limits. */
export const migratedRulesMax = 200;
export const migratedExpressionBytesMax = 4096;

/** The delay before a failed task is retried: the first, and the longest. */
export const taskRetryMsMin = 1_000;
export const taskRetryMsMax = 10 * 60 * 1_000;

/** The delay before the completion of a migration is retried while the new rules are not in force yet. */
export const finishRetryMs = 10_000;

/** Lists of an account, by the largest plan among its zones. */
export const listsMax: Readonly<Record<Plan, number>> = { free: 1, pro: 10, business: 10, enterprise: 10 };

/** Items of all lists of an account together. */
export const listItemsMax = 10_000;

/** A bulk operation may hold as many items as the account may have, and they wait in the database. */
export const bulkOperationsOpenMax = 20;

/** Completed bulk operations whose result can still be read; clients poll within seconds. */
export const bulkOperationsKeptMax = 1_000;

/** The names of all zones are in memory, in the directory and at each edge. */
export const zonesMax = 20_000;

/** Zones that the account returns at a time while the directory is loaded: they fit into one answer between objects. */
export const zonesLoadedAtOnceMax = 2_000;

/** All tokens are in memory. */
export const tokensPerOwnerMax = 500;

/**
 * The size of a token's policies and condition: twice the largest number of tokens fits into one answer between
 * objects.
 */
export const tokenBytesMax = 16 * 1024;

/** Uploaded certificates of one zone: a few names, each with a certificate and its replacement. */
export const customCertificatesMax = 20;

/** Users and addresses whose calls or failed sign-ins are counted, at a few hundred bytes each. */
export const rateLimitedMax = 10_000;

/** Known pairs of an account and an address from which it signed in, at a few hundred bytes each. */
export const signInsKnownMax = 10_000;

/** Entries of the audit log, and their bytes, that an object checks in one turn: this takes a few milliseconds. */
export const auditCheckMax = 500;
export const auditCheckBytesMax = 4 * 1024 * 1024;

/**
 * The size of each value in a list of the audit log: rules and filters fit completely. Rulesets are longer, and a page
 * has up to 1,000 entries.
 */
export const auditValueCharactersMax = 16 * 1024;

/** Entries that an object returns at a time: this many of the largest size fit into one answer. */
export const auditEntriesAskedMax = 250;

/** How deep pages of the audit log reach: each trail lists this many positions to find the entries of the page. */
export const auditDepthMax = 10_000;

/** Deleted zones whose audit logs are included without being named; each one must be woken. */
export const formerZonesAskedMax = 1000;

/** Zones that are called concurrently; each one must be in memory for it. */
export const zonesAskedAtOnceMax = 16;

/** Rows of an activity log that one step moves into a log of the database. */
export const oldRowsMovedAtOnce = 1_000;

/** How often an activity log of a cluster removes expired entries while there are no writes. */
export const activityHousekeepingMs = 3_600_000;

/** Events that a stream reads at a time. */
export const tailEventsMax = 1_000;

/** The size of one row: an object accepts rows of up to 2 MB. */
export const stateRowCharactersMax = 500_000;

/** Uploaded Workers of an account: each is a process of about 60 MB. */
export const workersMax = 100;

/** Versions and deployments of a Worker that are kept in addition to the deployed one. */
export const workerVersionsKept = 25;
export const workerDeploymentsKept = 25;

/** The total size of all modules of a version, without source maps. */
export const scriptBytesMax = 32 * 1024 * 1024;
/** The total size of the source maps of a version: they are kept with the code, and read when it throws. */
export const sourceMapBytesMax = 16 * 1024 * 1024;

/** Bindings of a version: Cloudflare documents 64 variables and 64 secrets of a free Worker, 128 of a paid one. */
export const bindingsMax = 256;

/**
 * The size of all variables and secrets of a version as JSON: they are read whenever the account describes a Worker.
 */
export const bindingBytesMax = 512 * 1024;

/** Stores of one kind in an account: their list is read as a whole. */
export const storesMax = 1_000;

/** Monitors of an account. Every edge has all pools of its zones, and checks each of their origins. */
export const monitorsMax = 200;
export const poolsMax = 200;
export const loadBalancersMax = 200;

/** Logpush jobs of an account: each has a buffer on every host. */
export const logpushJobsMax = 100;

/** Notification policies of an account. */
export const alertPoliciesMax = 100;
export const alertWebhooksMax = 100;

/** Notifications that are kept, sent or not. */
export const alertsKept = 1_000;

/** Notifications that are sent concurrently. */
export const alertsAtOnceMax = 10;

/** The delay before a failed webhook is retried, doubled each time. */
export const alertRetryMs = { msMin: 30_000, msMax: 3_600_000 };

/** How long after its first attempt a notification is still retried. */
export const alertGiveUpMs = 86_400_000;

/** Changes in the health of origins that are kept. */
export const healthEventsKept = 1_000;

/** How long a host's report on its origins is valid: hosts repeat it every five minutes. */
export const healthKnownMs = 15 * 60_000;

/** Saved searches of a zone's activity log: a list that people choose from. */
export const savedViewsMax = 100;
