/** Groups of the legacy WAF: signatures are grouped by the software that they protect, scoring rules by attack. */
export const groupDescriptions = {
  'Cloudflare Drupal': 'Known holes of Drupal.',
  'Cloudflare Flash': 'Flash players and their policies.',
  'Cloudflare Joomla': 'Known holes of Joomla.',
  'Cloudflare Magento': 'Known holes of Magento.',
  'Cloudflare Miscellaneous': 'Forums, routers, cameras and what has no group of its own.',
  'Cloudflare Php': 'PHP itself, its frameworks and tools.',
  'Cloudflare Plone': 'Known holes of Plone.',
  'Cloudflare Specials': 'Attacks on software of any kind, and the holes that are exploited most.',
  'Cloudflare Whmcs': 'Known holes of WHMCS.',
  'Cloudflare WordPress': 'Known holes of WordPress, its plugins and themes.',
} as const;

export type GroupName = keyof typeof groupDescriptions;

export const scoreGroupDescriptions = {
  'OWASP Bad Robots': 'Scanners and robots by their user agent.',
  'OWASP Generic Attacks': 'Commands, files and code in arguments.',
  'OWASP HTTP Policy': 'Files and methods that a site has no use for.',
  'OWASP Protocol Anomalies': 'Headers that every browser sends and that are missing.',
  'OWASP Protocol Violations': 'Requests that break the protocol.',
  'OWASP SQL Injection Attacks': 'SQL in bodies and cookies.',
  'OWASP Uri SQL Injection Attacks': 'SQL in the URL.',
  'OWASP Uri XSS Attacks': 'Scripts in the URL.',
  'OWASP XSS Attacks': 'Scripts in bodies and cookies.',
} as const;

export type ScoreGroupName = keyof typeof scoreGroupDescriptions;

/** Ids that clients already know; the others are derived from the name. */
export const knownGroupIds: Readonly<Partial<Record<GroupName | ScoreGroupName, string>>> = {
  'Cloudflare Drupal': '8df6c9aaddcbdf0eceb047bc50873697',
  'OWASP Bad Robots': '07d700cf30fda7548be94ff01087d0c4',
  'OWASP Uri XSS Attacks': 'cfda825dfda411ea218cb70e6c88e82e',
  'OWASP XSS Attacks': 'd508327aee37c147e03873f79288bb1d',
};
