/** The errors that an operation can answer with: those that follow from its row, and the codes that the row lists. */
import type { Code } from './code.ts';
import { authCodes } from './codes/auth.ts';
import { genericCodes } from './codes/generic.ts';
import { rulesetCodes } from './codes/rulesets.ts';
import type { Operation } from './operation.ts';

/** Before the operation is known to be permitted, so for every operation. */
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

/** Internal failures, with a status of 5xx, are possible for every operation and are not listed. */
export function refusalsOf(operation: Operation): readonly Code[] {
  const { path, query, isQueryClosed, isWrite, body, result, media, codes } = operation;
  const readsQuery = isQueryClosed || isWrite || Object.keys(query).length > 0;
  return [
    ...always,
    ...(path.includes('{') ? [genericCodes.couldNotRoute, genericCodes.noRoute] : []),
    ...(path.includes('{zone_id}') ? [genericCodes.zoneNotFound] : []),
    ...(path.includes('{account_id}') ? [genericCodes.accountNotFound] : []),
    ...(readsQuery ? [genericCodes.invalidQuery] : []),
    // Every operation refuses a misplaced `waf_migration`.
    rulesetCodes.migrationElsewhere,
    ...(!isWrite ? [] : ofConditions(operation)),
    ...(body === undefined ? [] : ofBodies),
    ...(result === null || media.length > 0 ? [] : [genericCodes.answerTooLarge]),
    ...codes,
  ];
}
