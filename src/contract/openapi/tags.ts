/** What each family of operations is about. A family without its sentence does not compile. */
import type { OperationId } from '../operations.ts';

type Family<Id extends string> = Id extends `${infer Name}.${string}` ? Name : never;

export const tagDescriptions: Readonly<Record<Family<OperationId>, string>> = {
  user: 'The user whose credentials a request has.',
  memberships: 'The accounts that the user belongs to.',
  tokens: 'API tokens of the user.',
  accountTokens: 'API tokens of the account, which outlive the people in it.',
  accounts: 'Accounts; a server has one.',
  audit: 'Every change, who made it, and what was before and after.',
  metrics: 'What the program measures about itself.',
  zones: 'Domains, each with its plan.',
  filters: 'Expressions that firewall rules refer to.',
  expressions: 'Help for editors of expressions.',
  firewallRules: 'What to do with requests that match a filter.',
  lists: 'Lists of addresses, host names, networks or redirects that expressions name.',
  pageRules: 'Settings that differ where a URL matches.',
  migration: 'The way from the legacy managed rules to managed rulesets.',
  bundle: 'Everything that a zone’s rules are made of, as one document.',
  settings: 'Settings of a zone.',
  urlNormalization: 'URL normalization of a zone: one spelling of each path for rules and for the origin.',
  rulesets: 'Rulesets of a zone, by phase, with their versions.',
  accountRulesets: 'Rulesets of the account: those that all its zones run, custom and managed ones.',
  wafPackages: 'Packages of legacy managed rules.',
  wafGroups: 'Groups of rules in a package of legacy managed rules.',
  wafRules: 'Legacy managed rules.',
  wafOverrides: 'Modes of legacy managed rules that differ where a URL matches.',
  customCertificates: 'Certificates of a zone that were uploaded.',
  edge: 'How zones are served, and the feed of edges that run by themselves.',
  protection: 'What protects a site, and protecting it in one call.',
  security:
    'The activity log, explanations of what was done to a request, and judging requests without sending them.',
  traffic: 'How many requests a zone had, and what became of them.',
  graphql: 'The activity log, asked in GraphQL.',
  objects: 'The stateful objects that hold the state of the server: look into them, and go back.',
};
