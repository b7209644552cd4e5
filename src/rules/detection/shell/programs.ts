/** Programs that commands run, by the evidence they provide. */

/** Names that are not words: after a separator, they are a command whatever follows. */
export const plainPrograms: ReadonlySet<string> = new Set(
  'whoami wget nslookup ifconfig ipconfig uname netstat netcat ncat nc telnet tftp socat busybox systeminfo tasklist taskkill certutil bitsadmin wmic net1 rundll32 regsvr32 mshta cscript wscript powershell pwsh cmd cmd.exe powershell.exe lsof ls ps pwd dig printenv getent crontab chmod chown chattr mkfifo mknod mkdir rmdir rm cp mv xxd od hexdump awk gawk sed grep egrep fgrep tee bash sh zsh dash ksh csh tcsh python python2 python3 perl ruby php lua node gcc cc tar gzip gunzip unzip zip curl lynx fetch ftp sftp scp ssh rsync nmap ping ping6 traceroute tracert arp route iptables passwd useradd adduser sudo su doas mysql psql sqlite3 mongo redis-cli dd df du umount eval xargs nohup setsid strace gdb ldd readlink realpath rev tac nl expr printf basename dirname hostname hostid logname ldapsearch phpinfo attrib findstr ver vol dscacheutil sw_vers launchctl dscl uptime lscpu lsblk lspci dmesg journalctl systemctl docker kubectl base64 base32 openssl md5sum sha1sum sha256sum stat wc env'.split(
    ' ',
  ),
);

/** Names that are also words: they need arguments that occur only in commands. */
export const wordPrograms: ReadonlySet<string> = new Set(
  'cat echo id more less sort find at cut date which who w last tail head test time kill make mail host diff split join look man top set sleep touch strings nice watch export type dir net copy move print start exit reboot shutdown halt vi vim nano ed emacs file history alias exec source read declare users groups finger locate install service whereis shuf column paste tr uniq fold tree reg ren del erase help assoc timeout unset trap wait true false run call go java ant cd rename'.split(
    ' ',
  ),
);

/** Names that people list as their skills: alone after a separator they prove nothing. */
export const knownTools: ReadonlySet<string> = new Set(
  'bash sh zsh python python2 python3 perl ruby php lua node powershell curl wget mysql psql mongo docker kubectl ssh ftp tar zip gzip awk sed grep net telnet rsync nmap openssl eval base64 cmd passwd fetch ping stat expr rev arp route ver printf'.split(
    ' ',
  ),
);
