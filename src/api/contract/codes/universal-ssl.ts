import { codes } from '../code.ts';

export const universalSslCodes = codes({
  hostOutside: {
    code: 11104,
    status: 400,
    message: 'certificates.api.invalid_host: {host} cannot be in the certificate of {zone}',
    advice:
      'Name the zone or host names below it. Wildcards need validation over DNS (the setting acme_dns): set it, or upload a certificate for them.',
  },
  packNotFound: {
    code: 11105,
    status: 404,
    message: 'certificates.api.pack_not_found: the zone has no certificate pack of this id',
    advice: 'List them with GET /zones/{zone_id}/ssl/certificate_packs.',
  },
});
