import { codes } from '../code.ts';

/**
 * Legacy managed rules. A missing resource is a 400 where other families answer 404: Terraform recognizes it by that
 * status and the code.
 */
export const wafCodes = codes({
  wafPackageNotFound: {
    code: 1002,
    status: 400,
    message: 'Invalid WAF Package identifier',
    advice: 'List the packages with GET /zones/{zone_id}/firewall/waf/packages.',
  },
  wafGroupNotFound: {
    code: 1003,
    status: 400,
    message: 'Invalid WAF Group identifier',
    advice: 'The package has no such group. List them with GET …/packages/{package_id}/groups.',
  },
  wafRuleNotFound: {
    code: 1004,
    status: 400,
    message: 'Invalid WAF Rule identifier',
    advice: 'The package has no such rule. List them with GET …/packages/{package_id}/rules.',
  },
  wafRuleModeInvalid: {
    code: 1007,
    status: 400,
    message: 'Invalid or missing WAF Rule mode: rule {rule} takes {modes}',
    advice: 'Send a `mode` that the rule has in `allowed_modes`.',
  },
  wafRuleAlreadyOn: {
    code: 1008,
    status: 400,
    message: 'WAF Rule is already enabled',
    advice: 'Nothing to do.',
  },
  wafRuleAlreadyOff: {
    code: 1009,
    status: 400,
    message: 'WAF Rule is already disabled',
    advice: 'Nothing to do.',
  },
  wafGroupModeInvalid: {
    code: 1018,
    status: 400,
    message: 'Invalid or missing WAF Group mode: a group takes on, off',
    advice: 'Send `mode` as on or off.',
  },
  wafGroupAlreadyOn: {
    code: 1019,
    status: 400,
    message: 'WAF Group is already on',
    advice: 'Nothing to do.',
  },
  wafGroupAlreadyOff: {
    code: 1020,
    status: 400,
    message: 'WAF Group is already off',
    advice: 'Nothing to do.',
  },
  wafPackageNotAnomaly: {
    code: 1027,
    status: 400,
    message: 'Only anomaly WAF packages can have their package attributes updated',
    advice: 'Change groups and rules of the package instead; only the package OWASP has a sensitivity.',
  },
  wafScoresNotInstalled: {
    code: 1028,
    status: 200,
    message:
      'the OWASP Core Rule Set is not installed: package OWASP has no rules and scores nothing until it is',
    advice:
      'Comes as a message with the package. Install the rules on the server with `gatehouse crs install`.',
  },
  wafMigrated: {
    code: 1101,
    status: 400,
    message: '{what} are not available: zone migrated to managed rulesets',
    advice:
      'The zone has migrated from the legacy managed rules. Use the Rulesets API, phase http_request_firewall_managed.',
  },
  wafNotEntitled: {
    code: 1102,
    status: 400,
    message: '{what} are not available: {reason}',
    advice: 'Change the plan of the zone. Lists are empty and carry this as a message instead.',
  },
  wafOverrideNotFound: {
    code: 1103,
    status: 404,
    message: 'wafuriconfig.api.not_found',
    advice: 'List the overrides with GET /zones/{zone_id}/firewall/waf/overrides.',
  },
  wafOverrideInvalid: {
    code: 1104,
    status: 400,
    message: 'wafuriconfig.api.invalid_config: {reason}',
    advice: 'The pointer names the place in the body, the message what it should be.',
  },
  wafOverrideIdMismatch: {
    code: 1105,
    status: 400,
    message: 'wafuriconfig.api.id_mismatch: the body and the path name different overrides',
    advice: 'Leave `id` out of the body, or send the one from the path.',
  },
  wafOverrideQuota: {
    code: 1106,
    status: 400,
    message: 'wafuriconfig.api.quota_exceeded: the zone has {max} overrides',
    advice: 'Delete overrides, or put several URLs into one.',
  },
});
