package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// nginxConfig is for static files from a folder and nothing else. Everything that nginx
// writes is below the folder that it is started with; it needs no rights.
const nginxConfig = `
daemon off;
%[3]s
worker_processes auto;
error_log stderr crit;
pid nginx.pid;
events { worker_connections 2048; }
http {
	access_log off;
	client_body_temp_path body;
	proxy_temp_path proxy;
	fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi;
	scgi_temp_path scgi;
	sendfile on;
	tcp_nopush on;
	keepalive_requests 1000000000;
	open_file_cache max=100;
	default_type application/json;
	types { }
	server {
		listen %[1]s;
		root %[2]s;
		location ~ \.gzip$ { add_header Content-Encoding gzip; }
	}
}
`

func startNginx(ctx context.Context, addr, answers, folder string) (*process, error) {
	user := ""
	if os.Getuid() == 0 {
		user = "user root;" // whose folders are for itself alone
	}
	file := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, nginxConfig, addr, answers, user), 0o600); err != nil {
		return nil, err
	}
	return start(ctx, filepath.Join(folder, "nginx.log"), "http://"+addr+"/descriptor", nil,
		"nginx", "-p", folder, "-c", file, "-e", "stderr")
}
