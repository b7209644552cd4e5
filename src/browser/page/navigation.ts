/** The pages, for the side bar and the command palette: routes that say what a link to them is called, in their order. */
import { type AnyRoute, useRouter } from '@tanstack/react-router';
import { getProgram } from './api/session.ts';

interface PageLink {
  readonly label: string;
  /** Other words that people look for it by. */
  readonly words: string;
  /** After `g`, it goes there. */
  readonly key: string;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly link?: PageLink;
  }
}

export interface LinkedPage extends PageLink {
  readonly path: string;
}

const zonePath = '/zones/$zoneId';

/** Those of a zone, with `$zoneId` in their paths. */
export function useZonePages(): readonly LinkedPage[] {
  return listPages(useRouter().routeTree).filter(({ path }) => path.startsWith(zonePath));
}

/** Those that this program has. */
export function useAccountPages(): readonly LinkedPage[] {
  return listPages(useRouter().routeTree)
    .filter(({ path }) => !path.startsWith(zonePath))
    .filter(({ path }) => getProgram() === 'serve' || path === '/objects');
}

function listPages(route: AnyRoute): LinkedPage[] {
  const { link } = route.options.staticData ?? {};
  const children: readonly AnyRoute[] = Object.values(route.children ?? {});
  return [
    ...(link === undefined ? [] : [{ ...link, path: route.fullPath as string }]),
    ...children.flatMap(listPages),
  ];
}
