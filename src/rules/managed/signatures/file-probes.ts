/** Files that no page links to: configuration, repositories, backups, keys, consoles. */
import { matchAny, path, type Signature } from './signature.ts';

export const fileProbes: readonly Signature[] = [
  {
    legacyId: '100038',
    description: 'Probe - environment file with secrets',
    categories: ['information-disclosure', 'file-probe'],
    expression: matchAny(
      String.raw`/\.env(?:$|[._~-](?:local|dev\w*|prod\w*|stag\w*|test|backup|bak|old|save|example|sample|orig|swp|\d)|~|/)`,
      path,
    ),
  },
  {
    legacyId: '100038B',
    description: 'Probe - version control',
    categories: ['information-disclosure', 'file-probe'],
    expression: matchAny(
      String.raw`/\.(?:git/(?:config|head|index|objects|refs|logs|info|hooks|packed-refs|description)?|git-credentials|gitconfig|svn/(?:entries|wc\.db|all-wcprops|text-base|prop-base)?|hg/(?:hgrc|store|requires|dirstate)?|bzr/)(?:$|/|\w)`,
      path,
    ),
  },
  {
    legacyId: '100038C',
    description: 'Probe - keys and credentials',
    categories: ['information-disclosure', 'file-probe'],
    expression: matchAny(
      String.raw`/(?:\.(?:aws/(?:credentials|config)|ssh/|docker/config\.json|dockercfg|kube/config|npmrc|pypirc|pgpass|my\.cnf|netrc|s3cfg|htpasswd|bash_history|zsh_history|mysql_history|psql_history|azure/|gcloud/|config/gcloud|vscode/sftp\.json|idea/(?:workspace|datasources)\.xml|composer/auth\.json)|id_(?:rsa|dsa|ecdsa|ed25519)(?:\.key)?$|(?:server|private|privatekey|ssl)\.key$|secrets\.ya?ml$|service-?account(?:key)?\.json$|sftp-config\.json$)`,
      path,
    ),
  },
  {
    legacyId: '100038D',
    description: 'Probe - backup of a site or a database',
    categories: ['information-disclosure', 'file-probe'],
    expression: matchAny(
      String.raw`^/+(?:[\w-]+/)?(?:(?:backups?|dump|db|database|site|www|mysql|users|wordpress|wp|localhost)[\w.-]{0,16}\.(?:sql(?:\.(?:gz|zip|bz2))?|bak|mdb|dump)|(?:backups?|dump|database|www|wwwroot|public_html|htdocs|website)\.(?:tar\.gz|tgz|tar|zip|rar|7z))$`,
      path,
    ),
  },
  {
    legacyId: '100038E',
    description: 'Probe - copy of a settings file that would be sent as text',
    categories: ['information-disclosure', 'file-probe'],
    expression: matchAny(
      String.raw`/(?:wp-config|config|configuration|settings|localsettings|database|connect|db|conn|local\.xml|parameters\.yml|web\.config|application\.properties|appsettings)(?:(?:\.(?:php|inc|json|ya?ml|xml|config))?(?:\.(?:bak|old|save|orig|copy|swp|tmp|backup)|~|_bak|#)|\.(?:php|inc|ya?ml|xml|config)\.(?:txt|\d))$|/\.wp-config\.php\.sw[op]$`,
      path,
    ),
  },
  {
    legacyId: '100038F',
    description: 'Probe - server status and information pages',
    categories: ['information-disclosure', 'file-probe'],
    expression: matchAny(
      String.raw`/(?:phpinfo|php_info|php-info|infophp|_phpinfo|pinfo)\.php$|^/(?:server-status|server-info|\.ht(?:access|group)|web\.config|nginx_status|elmah\.axd|trace\.axd)$|/(?:adminer(?:-\d[\w.-]*)?|pma\d*/index|myadmin/index|phpmyadmin\d?/scripts/setup|sqlbuddy/index)\.php$`,
      path,
    ),
  },
  {
    legacyId: '100038G',
    description: 'Probe - management endpoints of Java frameworks',
    categories: ['information-disclosure', 'file-probe', 'java'],
    expression: matchAny(
      String.raw`/(?:manage|management)/(?:heapdump|threaddump|env|jolokia|configprops|httptrace)\b|/actuator/(?:env|heapdump|threaddump|gateway|jolokia|mappings|configprops|trace|httptrace|logfile|loggers|beans|shutdown|refresh|restart|dump)\b|^/(?:heapdump|jolokia(?:/|$)|jmx-console|web-console/|invoker/(?:jmx|ejb)|manager/(?:html|text|jmxproxy)|host-manager/html|druid/(?:index\.html|websession))`,
      path,
    ),
  },
  {
    legacyId: '100038H',
    description: 'Probe - build and deployment descriptions',
    categories: ['information-disclosure', 'file-probe'],
    action: 'log',
    expression: matchAny(
      String.raw`^/(?:docker-compose(?:\.\w+)?\.ya?ml|dockerfile|\.dockerignore|\.travis\.yml|\.gitlab-ci\.yml|jenkinsfile|composer\.(?:json|lock)|package(?:-lock)?\.json|yarn\.lock|gruntfile\.js|gulpfile\.js|vagrantfile|makefile|\.ds_store|\.editorconfig|\.gitignore|terraform\.tfstate(?:\.backup)?|ansible\.cfg|procfile|requirements\.txt|gemfile(?:\.lock)?)$`,
      path,
    ),
  },
  {
    legacyId: '100038J',
    description: 'Probe - editor leftovers of scripts',
    categories: ['information-disclosure', 'file-probe'],
    expression: matchAny(
      String.raw`/[\w-]+\.(?:php|asp|aspx|jsp|inc|cgi)(?:~|\.(?:bak|old|save|orig|swp|swo|tmp|copy|1|txt)|\.php~)$`,
      path,
    ),
  },
  {
    legacyId: '100038K',
    description: 'Probe - Terraform state, kubeconfig and database files',
    categories: ['information-disclosure', 'file-probe'],
    expression: matchAny(
      String.raw`^/(?:kubeconfig|admin\.conf|debug\.log|error_log)$|/(?:terraform\.tfstate(?:\.backup)?|terraform\.tfvars|\.vault-token|database\.sqlite3?|db\.sqlite3?|production\.sqlite3|development\.sqlite3|storage/logs/laravel\.log|wp-content/debug\.log|config/database\.yml|config/master\.key|app/etc/(?:local\.xml|env\.php)|sites/default/settings\.php\.\w+)$`,
      path,
    ),
  },
];
