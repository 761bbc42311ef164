# SPDX-License-Identifier: GPL-3.0-or-later
"""A server on the loopback that speaks S3, with a folder in its bucket. Prints its address, ends with its input.

usage: bucket_server.py FOLDER PREFIX
"""
import sys
from pathlib import Path

import boto3
from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
address = f"http://{host}:{port}"
client = boto3.client("s3", endpoint_url=address, aws_access_key_id="key", aws_secret_access_key="secret",
                      region_name="us-east-1")
client.create_bucket(Bucket="bucket")
folder = Path(sys.argv[1])
for path in sorted(p for p in folder.rglob("*") if p.is_file()):
    client.upload_file(str(path), "bucket", f"{sys.argv[2]}/{path.relative_to(folder)}")
print(address, flush=True)
sys.stdin.read()
server.stop()
