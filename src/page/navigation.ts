/** The pages, for the side bar and the command palette. */
import { getProgram } from './api/session.ts';

interface PageLink {
  readonly label: string;
  /** Of a page of a zone: what follows `/zones/{id}`. */
  readonly path: string;
  /** Other words that people look for it by. */
  readonly words: string;
}

export const zonePages = [
  { label: 'Overview', path: '', words: 'protect traffic verdicts chart' },
  { label: 'Activity log', path: '/activity', words: 'events search tail explain exception' },
  { label: 'Firewall rules', path: '/firewall-rules', words: 'filters expressions block challenge' },
  {
    label: 'Managed rules',
    path: '/managed-rules',
    words: 'waf packages owasp migration rulesets overrides',
  },
  { label: 'Page rules', path: '/page-rules', words: 'url targets' },
  { label: 'Settings', path: '/settings', words: 'origin edge plan certificates pause' },
] as const satisfies readonly PageLink[];

const accountPages = [
  { label: 'Sites', path: '/', words: 'zones' },
  { label: 'Lists', path: '/lists', words: 'ip addresses hostnames' },
  { label: 'Tokens', path: '/tokens', words: 'api keys permissions scopes' },
  { label: 'Audit log', path: '/audit', words: 'changes who' },
  { label: 'Objects', path: '/objects', words: 'durable storage sql kv alarms history restore' },
  { label: 'Metrics', path: '/metrics-board', words: 'latency disk memory' },
] as const satisfies readonly PageLink[];

/** Those that this program has. */
export function listAccountPages(): readonly (typeof accountPages)[number][] {
  return accountPages.filter(({ path }) => getProgram() === 'serve' || path === '/objects');
}
