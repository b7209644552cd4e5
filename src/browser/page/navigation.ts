/** The pages in the side bar and the command palette: routes with the name of a link to them, in order. */
import { type AnyRoute, useRouter } from '@tanstack/react-router';
import { getProgram } from './api/session.ts';

interface PageLink {
  readonly label: string;
  /** Other search terms for it. */
  readonly words: string;
  /** The key that opens it, after `g`. */
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

/** The pages of a zone, with `$zoneId` in their paths. */
export function useZonePages(): readonly LinkedPage[] {
  return listPages(useRouter().routeTree).filter(({ path }) => path.startsWith(zonePath));
}

/** The pages that this program has. */
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
