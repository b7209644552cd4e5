/** What an operation can answer instead of its result: what follows from its row, and the codes that the row lists. */
import type { Code } from './code.ts';
import { authCodes } from './codes/auth.ts';
import { genericCodes } from './codes/generic.ts';
import { rulesetCodes } from './codes/rulesets.ts';
import type { Operation } from './operation.ts';

/** Before an operation is known to be permitted, whichever it is. */
const always: readonly Code[] = [
  authCodes.credentialsMissing,
  authCodes.emailMissing,
  authCodes.keyMissing,
  authCodes.headersInvalid,
  authCodes.keyUnknown,
  authCodes.tokenUnknown,
  authCodes.addressRefused,
  authCodes.notPermitted,
  authCodes.tooManyRequests,
  genericCodes.targetTooLong,
];

const ofBodies: readonly Code[] = [
  genericCodes.invalidJson,
  genericCodes.bodyIncomplete,
  genericCodes.bodyTooLarge,
  genericCodes.contentType,
  genericCodes.rulesTooCostly,
];

function ofConditions({ versionOf }: Operation): readonly Code[] {
  return versionOf === undefined
    ? [genericCodes.conditionNotTaken]
    : [genericCodes.conditionFailed, genericCodes.conditionMalformed];
}

/** Failures of ours, with a status of 5xx, are answers of every operation and in no list. */
export function refusalsOf(operation: Operation): readonly Code[] {
  const { path, query, isQueryClosed, isWrite, body, result, media, codes } = operation;
  const readsQuery = isQueryClosed || isWrite || Object.keys(query).length > 0;
  return [
    ...always,
    ...(path.includes('{') ? [genericCodes.couldNotRoute, genericCodes.noRoute] : []),
    ...(path.includes('{zone_id}') ? [genericCodes.zoneNotFound] : []),
    ...(path.includes('{account_id}') ? [genericCodes.accountNotFound] : []),
    ...(readsQuery ? [genericCodes.invalidQuery] : []),
    // Who sends `waf_migration` elsewhere than where it belongs hears of it everywhere.
    rulesetCodes.migrationElsewhere,
    ...(!isWrite ? [] : ofConditions(operation)),
    ...(body === undefined ? [] : ofBodies),
    ...(result === null || media.length > 0 ? [] : [genericCodes.answerTooLarge]),
    ...codes,
  ];
}
