import { json } from '@sveltejs/kit';

export const GET = ({ url, platform }) =>
  json({ query: url.search, hasPlatform: platform?.env !== undefined });
