/** Operations that are called and whose call does not go well, by the kind of the SDK and their names in it, and why that is right. */
export const excuses: Readonly<Record<string, string>> = {
  'typescript ssl.certificatePacks.get': 'no authority is set up, so there is no pack to get',
  'python ssl.certificate_packs.get': 'no authority is set up, so there is no pack to get',
  'python workers.scripts.versions.get': 'the SDK cannot make its own type of the answer (pydantic)',
  'python workers.scripts.versions.create': 'the SDK cannot make its own type of the answer (pydantic)',
};
