import { codes } from '../code.ts';

/** Codes and messages are Cloudflare's where Wrangler checks them; our own are marked as such. */
export const workerCodes = codes({
  workerNotFound: {
    code: 10007,
    status: 404,
    message: 'This Worker does not exist on your account.',
    advice: 'List the Workers with GET /accounts/{account_id}/workers/scripts, or deploy it first.',
  },
  serviceNotFound: {
    code: 10090,
    status: 404,
    message: 'workers.api.error.service_not_found',
    advice:
      'There is no Worker with this name yet. From this code Wrangler knows that it uploads the first version.',
  },
  notUploadable: {
    code: 10900,
    status: 403,
    message: 'workers.api.uploads_off: {reason}',
    advice:
      'Ours. Uploaded code runs only if the owner allows it: docs/build/wrangler-deploy.md lists the settings.',
  },
  outOfService: {
    code: 10910,
    status: 503,
    message: '{part} is out of service: {reason}',
    advice:
      'Ours. Something in this folder of the data directory is damaged or missing. `gatehouse objects scrub` names it, and docs/operate/troubleshooting.md describes what to do; the server retries automatically.',
  },
  unsupported: {
    code: 10901,
    status: 400,
    message: 'workers.api.unsupported: {what}',
    advice: 'Ours. docs/build/wrangler-deploy.md lists what an uploaded Worker can and cannot have here.',
  },
  noDomain: {
    code: 10902,
    status: 400,
    message: 'workers.api.no_domain: {reason}',
    advice:
      'Ours. Set `workers_domain` to a name in one of your zones, or set `workers_dev = false` in the project and give it routes.',
  },
  uploadMalformed: {
    code: 10903,
    status: 400,
    message: 'workers.api.invalid_upload: {reason}',
    advice:
      'Ours. An upload is multipart/form-data: the part `metadata` is JSON, the others are modules with their names and types.',
  },
  assetsRefused: {
    code: 10906,
    status: 400,
    message: 'workers.api.assets_refused: {reason}',
    advice: 'Ours. Run `wrangler deploy` again: files that were already uploaded are not sent again.',
  },
  tooManyTails: {
    code: 10907,
    status: 400,
    message: 'The Worker has the maximum number of tails.',
    advice: 'End a running `wrangler tail`.',
  },
  nameTaken: {
    code: 10908,
    status: 400,
    message: 'workers.api.name_taken: the account already has a Worker with the name {name}',
    advice: 'Ours. Choose another name, or change the existing Worker with PUT or PATCH.',
  },
  tooManyWorkers: {
    code: 10037,
    status: 400,
    message: 'The account has {count} Workers, which is the maximum.',
    advice: 'Delete Workers that are no longer used: `wrangler delete`.',
  },
  invalid: {
    code: 10021,
    status: 400,
    message: '{reason}',
    advice:
      'The code does not load, or the upload requests something impossible. The message has the details.',
  },
  tooLarge: {
    code: 10027,
    status: 413,
    message: 'Your Worker exceeded the size limit of {mebibytes} MiB.',
    advice: 'Make the bundle smaller, or put large files into assets.',
  },
  bindingUnnamed: {
    code: 10052,
    status: 400,
    message: 'Binding at index {index} must have a name.',
    advice: 'Each binding has a name, which is the name of the property of `env`.',
  },
  secretNotFound: {
    code: 10056,
    status: 404,
    message: 'Binding not found: {name}',
    advice: 'List the names of the secrets with `wrangler secret list`.',
  },
  inheritUnknown: {
    code: 10057,
    status: 400,
    message: "inherit binding '{name}' is invalid",
    advice: 'The previous version has no binding with this name to take over: set the secret first.',
  },
  classNotBindable: {
    code: 10061,
    status: 400,
    message: '{reason}',
    advice: 'Export the class that is bound, and create it with a migration.',
  },
  serviceUnknown: {
    code: 10143,
    status: 400,
    message:
      "Could not resolve service binding '{binding}'. Target script '{script}' not found. Please verify the target script and try again.",
    advice: 'Deploy the Worker that is bound first; Workers of the setting `workers` cannot be bound.',
  },
  serviceEnvironment: {
    code: 10144,
    status: 400,
    message:
      "Could not resolve service binding '{binding}'. Target environment '{environment}' of script '{script}' not found.",
    advice:
      'Services have one environment, `production`: an environment of Wrangler is a Worker of its own, `NAME-ENVIRONMENT`.',
  },
  classNotExported: {
    code: 10064,
    status: 400,
    message:
      "New version of script does not export class '{name}' which is depended on by existing Durable Objects. If you want to delete the class, use a delete-class migration.",
    advice: 'Export the class again, or delete it and its objects with a migration.',
  },
  noHandlers: {
    code: 10068,
    status: 400,
    message: 'The uploaded script has no registered event handlers.',
    advice: 'Export a default object with `fetch`, or `scheduled`, or classes of objects.',
  },
  migratedClassNotExported: {
    code: 10070,
    status: 400,
    message: "Cannot apply new-class migration to class '{name}' that is not exported by script",
    advice: 'Export the class that the migration names.',
  },
  migrationImpossible: {
    code: 10074,
    status: 400,
    message: '{reason}',
    advice: 'The migration does not fit the classes that the Worker has now.',
  },
  transferFailed: {
    code: 10909,
    status: 500,
    message: 'workers.api.transfer_failed: the objects could not be copied to the other Worker: {reason}',
    advice: 'Ours. Both Workers are unchanged, with their objects: deploy again.',
  },
  migrationTag: {
    code: 10079,
    status: 412,
    message: "Actor migration tag precondition failed, got tag '{given}' when expected tag is '{expected}'.",
    advice: 'Another deployment happened in between: deploy again.',
  },
  changedMeanwhile: {
    code: 10035,
    status: 412,
    message: 'Another deployment changed the Worker in the meantime. This one changed nothing.',
    advice: 'Check what is deployed now, then deploy again.',
  },
  versionHasMigration: {
    code: 10211,
    status: 400,
    message:
      'Version upload failed. You attempted to upload a version of a Worker that includes a Durable Object migration, but migrations must be fully applied via a non-versioned deployment.',
    advice: 'Run `wrangler deploy`.',
  },
  latestNotDeployed: {
    code: 10215,
    status: 400,
    message:
      "Secret edit failed. You attempted to modify a secret, but the latest version of your Worker isn't currently deployed.",
    advice: 'Deploy the latest version first, or use `wrangler versions secret put`.',
  },
  secretsChanged: {
    code: 10220,
    status: 400,
    message: 'The following secrets have changed: {names}',
    advice: 'Send the same request with `?force=true` to go back to the secrets of that version.',
  },
  noVersions: {
    code: 10222,
    status: 404,
    message: 'This Worker has no versions.',
    advice: 'Upload one first.',
  },
  versionNotFound: {
    code: 100146,
    status: 404,
    message: 'The version does not exist, or is no longer kept.',
    advice: 'List the versions with `wrangler versions list`.',
  },
  deploymentNotFound: {
    code: 10336,
    status: 404,
    message: 'The deployment does not exist.',
    advice: 'List the deployments with `wrangler deployments list`.',
  },
  exportsRefused: {
    code: 100402,
    status: 400,
    message: '{reason}',
    advice: 'List each class of the Worker in `exports`: keep it, or give it the state "deleted".',
  },
  bindingNotFound: {
    code: 10913,
    status: 404,
    message: 'The latest version has no module, text or data bound as {name}.',
    advice: 'Ours. List the bindings with GET /accounts/{account_id}/workers/scripts/{script_name}/bindings.',
  },
  uploadIdle: {
    code: 10911,
    status: 200,
    message: '{what}',
    advice:
      'Ours. Comes as a message, not as an error: the upload has something that is stored but has no effect here. docs/build/wrangler-deploy.md lists it.',
  },
  routePattern: {
    code: 10022,
    status: 400,
    message: 'Route pattern is invalid: {reason}',
    advice: 'A pattern is a host name and a path: `shop.example/api/*`, `*.shop.example/*`.',
  },
  routeNotFound: {
    code: 10009,
    status: 404,
    message: 'The route does not exist.',
    advice: 'List the routes with GET /zones/{zone_id}/workers/routes.',
  },
  domainNotFound: {
    code: 100114,
    status: 404,
    message: 'The custom domain does not exist.',
    advice: 'List the domains with GET /accounts/{account_id}/workers/domains.',
  },
  routeTaken: {
    code: 10020,
    status: 400,
    message: 'A route with the same pattern exists already, for the Worker {script}: {pattern}',
    advice: 'Remove that route first, or choose another pattern.',
  },
  cronInvalid: {
    code: 10100,
    status: 400,
    message: 'Cron expression is invalid: {reason}',
    advice: 'Minute, hour, day, month and weekday, such as `*/5 * * * *`.',
  },
});
