import { clients } from './clients.ts';
import { codeSnippets } from './code-snippets.ts';
import { jsonApis } from './json-apis.ts';
import { languages } from './languages.ts';
import { lookalikes } from './lookalikes.ts';
import { navigation } from './navigation.ts';
import { people } from './people.ts';
import type { OrdinaryRequest } from './request.ts';
import { richText } from './rich-text.ts';
import { searches } from './searches.ts';
import { uploads } from './uploads.ts';
import { urlsAndTokens } from './urls-and-tokens.ts';

export const ordinaryRequests: readonly OrdinaryRequest[] = [
  ...navigation,
  ...searches,
  ...people,
  ...richText,
  ...codeSnippets,
  ...jsonApis,
  ...urlsAndTokens,
  ...uploads,
  ...languages,
  ...clients,
  ...lookalikes,
];
