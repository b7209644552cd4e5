/** The pages that clients of Cloudflare request: each with its default, because none can be customized. */
import { fault, genericCodes, ok, type Result } from '#contract';
import type { ObjectsHandlers } from '../several-objects.ts';

type Page = Result<'customPages.get'>;

const described: readonly (readonly [
  id: string,
  preview: string,
  description: string,
  ...tokens: string[],
])[] = [
  ['basic_challenge', 'captcha:basic_challenge', 'Basic Challenge', '::CAPTCHA_BOX::'],
  ['managed_challenge', 'captcha:managed_challenge', 'Managed Challenge', '::CAPTCHA_BOX::'],
  ['country_challenge', 'captcha:country', 'Country Challenge', '::CAPTCHA_BOX::'],
  ['under_attack', 'interstitial:iuam', 'Under Attack Mode', '::IM_UNDER_ATTACK_BOX::'],
  ['waf_block', 'block:waf', 'WAF Block', '::CLOUDFLARE_ERROR_1000S_BOX::'],
  ['waf_challenge', 'captcha:waf', 'WAF Challenge', '::CAPTCHA_BOX::'],
  ['ip_block', 'block:ip', 'IP Block', '::CLOUDFLARE_ERROR_1000S_BOX::'],
  ['ratelimit_block', 'block:ratelimit', 'Rate Limiting Block'],
  ['500_errors', 'error:500s', '500 Class Errors', '::CLOUDFLARE_ERROR_500S_BOX::'],
  ['1000_errors', 'error:1000s', '1000 Class Errors', '::CLOUDFLARE_ERROR_1000S_BOX::'],
];

const pages: readonly Page[] = described.map(([id, preview_target, description, ...required_tokens]) => ({
  id,
  description,
  required_tokens,
  preview_target,
  state: 'default',
  url: null,
}));

function get(path: Readonly<Record<string, string>>): Page {
  const id = path['page_id']!;
  const found = pages.find((page) => page.id === id);
  if (found === undefined) throw fault(genericCodes.customPageUnknown, { fill: { id } });
  return found;
}

export const customPageHandlers: ObjectsHandlers<'customPages' | 'accountCustomPages'> = {
  'customPages.list': async () => ok(pages),
  'customPages.get': async (_context, { path }) => ok(get(path)),
  'accountCustomPages.list': async () => ok(pages),
  'accountCustomPages.get': async (_context, { path }) => ok(get(path)),
};
