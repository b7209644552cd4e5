/**
 * Writes the tables of docs/reference/zone-settings.md from the descriptions of the settings; `zone-settings.test.ts`
 * checks that they are current.
 *
 *     node tools/zone-settings.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type ActingSetting, actingSettings, fixedSettings } from '#zone-settings';

export const zoneSettingsPage = new URL('../docs/reference/zone-settings.md', import.meta.url);

const start = '<!-- Made by node tools/zone-settings.ts -->';
const end = '<!-- End of what it made -->';

/** The page with its generated tables. */
export function writeZoneSettings(page: string): string {
  const [before = '', rest = ''] = page.split(start);
  const [, after = ''] = rest.split(end);
  return `${before}${start}\n\n${writeActing()}\n\n${writeFixed()}\n\n${end}${after}`;
}

function writeActing(): string {
  const rows = Object.entries(actingSettings).map(([id, setting]) => {
    const { kind, fallback, fallbackThere, plan, about }: ActingSetting<unknown> = setting;
    const there = fallbackThere === undefined ? '' : ` (Cloudflare: ${code(fallbackThere)})`;
    const takes = kind.choices === undefined ? kind.takes : kind.choices.map(code).join(', ');
    const needs = plan === undefined ? '' : ` Needs the ${plan} plan.`;
    return `| ${code(id)} | ${takes} | ${writeDefault(id, fallback)}${there} | ${about}${needs} |`;
  });
  return ['| setting | values | default | what it does |', '|---|---|---|---|', ...rows].join('\n');
}

function writeDefault(id: string, fallback: unknown): string {
  if (id === 'ssl') return 'what the origin says';
  return id === 'security_header' ? 'not enabled' : code(fallback);
}

function writeFixed(): string {
  const rows = [...fixedSettings].map(
    ([id, { value, reason }]) => `| ${code(id)} | ${code(value)} | ${reason} |`,
  );
  return ['| setting | value | why |', '|---|---|---|', ...rows].join('\n');
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value || '""' : JSON.stringify(value)}\``;
}

if (import.meta.main)
  writeFileSync(zoneSettingsPage, writeZoneSettings(readFileSync(zoneSettingsPage, 'utf8')));
