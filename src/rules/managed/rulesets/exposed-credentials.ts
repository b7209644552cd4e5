/**
 * Logins with a common password. A list of a few dozen does not replace a service that knows billions, but these few
 * are most of what bots try.
 */
import { contentUpdated, contentVersion, type ManagedRuleset, paidPlans } from '../managed-ruleset.ts';
import { deriveId } from '../rule-id.ts';

const id = 'c2e184081120413c86c3ab7e14069605';

const passwords =
  '123456 123456789 12345678 12345 1234567 1234567890 123123 111111 000000 654321 666666 121212 password password1 password123 Password1 passw0rd p@ssw0rd P@ssw0rd admin admin123 administrator root toor qwerty qwerty123 qwertyuiop 1q2w3e4r 1qaz2wsx abc123 iloveyou letmein welcome welcome1 monkey dragon football baseball sunshine princess superman changeme secret test test123 guest default user login master'.split(
    ' ',
  );
const set = `{${passwords.map((password) => `"${password}"`).join(' ')}}`;

const inForm = (field: string): string =>
  `any(url_decode(http.request.body.form["${field}"][*])[*] in ${set})`;
const inJson = (member: string): string => `lookup_json_string(http.request.body.raw, "${member}") in ${set}`;
const toPath = (pattern: string): string => `http.request.uri.path matches r"(?i)${pattern}"`;

const checks: readonly { readonly name: string; readonly expression: string }[] = [
  { name: 'WordPress', expression: `${toPath('/wp-login\\.php$')} and ${inForm('pwd')}` },
  { name: 'Joomla', expression: `${toPath('/administrator/(?:index\\.php)?$')} and ${inForm('passwd')}` },
  { name: 'Drupal', expression: `${toPath('/user/login$')} and ${inForm('pass')}` },
  { name: 'Magento', expression: `http.request.method eq "POST" and ${inForm('login[password]')}` },
  {
    name: 'URL-encoded form',
    expression: `http.request.method eq "POST" and (${['password', 'passwd', 'pass', 'pwd'].map(inForm).join(' or ')})`,
  },
  {
    name: 'JSON body',
    expression: `http.request.method eq "POST" and ${toPath('log-?in|sign-?in|auth|session|token')} and (${['password', 'passwd', 'pwd'].map(inJson).join(' or ')})`,
  },
];

export const exposedCredentials: ManagedRuleset = {
  id,
  name: 'Cloudflare Exposed Credentials Check',
  description: 'Logins with passwords that are publicly known.',
  phase: 'http_request_firewall_managed',
  version: contentVersion,
  lastUpdated: contentUpdated,
  plans: paidPlans,
  rules: checks.map(({ name, expression }) => {
    const ruleId = deriveId(id, name);
    return {
      id: ruleId,
      version: contentVersion,
      description: `Exposed credentials: ${name}`,
      categories: ['credentials'],
      action: 'log',
      enabled: true,
      expression,
      ref: ruleId,
    };
  }),
};
