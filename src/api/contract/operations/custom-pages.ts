/** Cloudflare's customizable pages; here they always have their defaults. */
import { genericCodes } from '../codes/generic.ts';
import { nameRows, operation } from '../operation.ts';
import { choice, listOf, named, nothing, record, string } from '#shapes';

const page = named(
  'CustomPage',
  record({
    id: string,
    description: string,
    required_tokens: listOf(string),
    preview_target: string,
    state: choice(['default']),
    url: nothing,
  }),
);
const common = {
  api: 'custom_pages',
  answeredBy: 'several objects',
  segments: { page_id: /^[0-9a-z_]{1,40}$/ },
} as const;

function rows<
  const Path extends string,
  const Permissions extends readonly ('accountRead' | 'zoneSettingsRead' | 'zoneSettingsWrite')[],
>(path: Path, permissions: Permissions) {
  return {
    list: operation(`GET /${path}/custom_pages`, {
      ...common,
      summary:
        'List the pages that visitors see instead of a response: the default ones, which cannot be replaced here',
      permissions,
      result: listOf(page),
    }),
    get: operation(`GET /${path}/custom_pages/{page_id}`, {
      ...common,
      summary: 'Get a page that visitors see instead of a response',
      permissions,
      result: page,
      codes: [genericCodes.customPageUnknown],
    }),
  };
}

export const customPageOperations = {
  ...nameRows('accountCustomPages', rows('accounts/{account_id}', ['accountRead'])),
  ...nameRows('customPages', rows('zones/{zone_id}', ['zoneSettingsRead', 'zoneSettingsWrite'])),
};
