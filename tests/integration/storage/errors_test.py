# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes wrong with object storage, told so that one knows what to do."""
import bench


class Errors(bench.StorageTest):
    def refused(self, *words, code, **environment):
        _, err = self.run_program(*words, code=code, **environment)
        self.assertEqual(len([line for line in err.splitlines() if "(try: " in line or "roadtune " in line]), 1, err)
        return err

    def test_no_such_bucket(self):
        for words in (["fetch", "s3://nowhere/x"], ["index", "s3://nowhere/x", "--out", "i"]):
            err = self.refused("data", *words, code=2)
            self.assertIn("s3://nowhere: there is no such bucket", err)

    def test_nothing_at_the_address(self):
        err = self.refused("data", "fetch", "s3://bucket/typo", code=2)
        self.assertIn("s3://bucket/typo: there is nothing at this address", err)

    def test_no_credentials(self):
        err = self.refused("data", "fetch", "s3://bucket/x", code=3, AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="")
        self.assertIn("there are no credentials", err)
        self.assertIn("AWS_ACCESS_KEY_ID", err)

    def test_a_profile_of_the_shared_file_is_enough(self):
        self.s3.put_object(Bucket="bucket", Key="x/a", Body=b"1")
        secret = "another-secret-of-the-file"
        (self.folder / "home/.aws").mkdir(parents=True)
        (self.folder / "home/.aws/credentials").write_text(
            f"[roads]\naws_access_key_id = {bench.KEY}\naws_secret_access_key = {secret}\n")
        self.run_program("data", "fetch", "s3://bucket/x", AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="", AWS_PROFILE="roads")

    def test_a_server_that_is_down_is_told_within_seconds(self):
        self.server.stop()
        began = bench.time.monotonic()
        err = self.refused("data", "fetch", "s3://bucket/x", code=1)
        self.assertLess(bench.time.monotonic() - began, 20)
        self.assertIn("cannot be reached", err)
        self.assertIn("AWS_ENDPOINT_URL", err)

    def test_addresses_with_secrets_are_refused_and_not_repeated(self):
        for url in (f"s3://AKID:{bench.SECRET}@bucket/x", f"s3://bucket/x?secret_key={bench.SECRET}"):
            for words in (["data", "fetch", url], ["data", "pack", "index", "--out", url]):
                if words[1] == "pack":
                    self.scenes("s")
                    self.run_program("data", "index", "s", "--out", "index")
                err = self.refused(*words, code=2)
                self.assertIn("credentials", err)

    def test_a_configuration_with_a_secret_is_refused_before_anything_is_written(self):
        url = f"s3://AKID:{bench.SECRET}@bucket/x"
        for key in ("train_data", "mirror_checkpoints_to"):
            settings = {"model_name_or_path": "m", "train_data": "t.jsonl", "output_dir": "out", key: url}
            words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
            (self.folder / "run.yaml").write_text("max_steps: 1\n")
            _, err = self.run_program("train", "run.yaml", *words, code=2)
            self.assertIn("must not carry credentials", err)
            self.assertFalse((self.folder / "out").exists())

    def test_other_machines_are_told_how_they_get_the_data(self):
        (self.folder / "run.yaml").write_text(
            "model_name_or_path: m\ntrain_data: s3://bucket/x\noutput_dir: out\nmax_steps: 1\n")
        for words in (["--hosts", "a,b"], ["--export", "slurm"]):
            _, err = self.run_program("train", "run.yaml", *words, code=2)
            self.assertIn("roadtune data fetch s3://bucket/x", err)


class Rights(bench.StorageTest):
    """A server that looks at keys and rights: the first requests set up one user, then every request counts."""
    server_environment = {"INITIAL_NO_AUTH_ACTION_COUNT": "5"}

    def prepare(self):
        iam = self.server.client("iam")
        iam.create_user(UserName="reader")
        self.key = iam.create_access_key(UserName="reader")["AccessKey"]
        policy = {"Version": "2012-10-17",
                  "Statement": [{"Effect": "Allow", "Action": ["s3:ListBucket", "s3:GetObject"], "Resource": "*"}]}
        iam.put_user_policy(UserName="reader", PolicyName="read", PolicyDocument=bench.json.dumps(policy))
        s3 = self.server.client()
        s3.create_bucket(Bucket="bucket")
        s3.put_object(Bucket="bucket", Key="x/a", Body=b"1")

    def reader(self):
        return {"AWS_ACCESS_KEY_ID": self.key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": self.key["SecretAccessKey"]}

    def test_the_right_key_reads_and_is_told_that_it_may_not_write(self):
        self.run_program("data", "fetch", "s3://bucket/x", **self.reader())
        self.scenes("s", segments=1, frames=1)
        self.run_program("data", "index", "s", "--out", "index")
        _, err = self.run_program("data", "pack", "index", "--out", "s3://bucket/pack", "--model-size", 28, code=3,
                                  **self.reader())
        self.assertIn("access is denied", err)
        self.assertIn("s3:PutObject", err)

    def test_an_unknown_key_and_a_wrong_secret(self):
        _, err = self.run_program("data", "fetch", "s3://bucket/x", code=3)
        self.assertIn("credentials are not accepted", err)
        _, err = self.run_program("data", "fetch", "s3://bucket/x", code=3, **{**self.reader(),
                                  "AWS_SECRET_ACCESS_KEY": bench.SECRET})
        self.assertIn("credentials are not accepted", err)


if __name__ == "__main__":
    bench.main()
