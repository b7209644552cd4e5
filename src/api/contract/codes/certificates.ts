import { codes } from '../code.ts';

export const customCertificateCodes = codes({
  certificateInvalid: {
    code: 11101,
    status: 400,
    message: 'certificates.api.invalid_certificate: {reason}',
    advice:
      'Send the chain in `certificate`, the certificate of the server first, and its unencrypted key in `private_key`, both as PEM.',
  },
  certificateNotFound: {
    code: 11102,
    status: 404,
    message: 'certificates.api.not_found: the zone has no certificate of this id',
    advice: 'List the certificates with GET /zones/{zone_id}/custom_certificates.',
  },
  certificatesTooMany: {
    code: 11103,
    status: 400,
    message: 'certificates.api.too_many: the zone has {count} certificates already',
    advice: 'Delete certificates that have expired or are no longer used.',
  },
});

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
