/** Operations whose call fails, by the kind of the SDK and their names in it, and why that is correct. */
const words =
  'takes its values as arguments, which the walk has no names for; the operation is called in other ways';

export const excuses: Readonly<Record<string, string>> = {
  'typescript ssl.certificatePacks.get': 'no authority is set up, so there is no pack to get',
  'python ssl.certificate_packs.get': 'no authority is set up, so there is no pack to get',
  'python workers.scripts.versions.get': 'the SDK cannot make its own type of the answer (pydantic)',
  'python workers.scripts.versions.create': 'the SDK cannot make its own type of the answer (pydantic)',
  'go-0 CreateIPList': words,
  'go-0 CreateIPListItem': words,
  'go-0 CreateIPListItemAsync': words,
  'go-0 CreateZone': words,
  'go-0 ZoneSetPlan': words,
  'go-0 ZoneUpdatePlan': words,
  'go-0 ZoneSetType': words,
  'go-0 ZoneSetVanityNS': words,
  'go-0 CertificatePack': 'no authority is set up, so there is no pack to get',
  'go-0 ListWorkersTail': 'the server answers a list of tails, and the SDK expects one',
  'go-0 CreateMagicFirewallRuleset': 'another product, with rules whose actions are not those of a zone',
  'go-0 UpdateMagicFirewallRuleset': 'another product, with rules whose actions are not those of a zone',
  'go-0 UpdateWAFPackage':
    'the package of the walk is not one that counts anomalies, which alone can be changed',
  'go-0 DeleteRulesetRule':
    'the server answers the ruleset, and the SDK expects no content; the rule is deleted',
};
