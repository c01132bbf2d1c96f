import Foundation

/// A machine with systemd, nginx and curl on which no Broadsheet is installed: this machine's
/// files in namespaces of their own, with changes kept in memory.
///
/// It has no network besides its loopback interface, on which its ports are free. Two programs
/// that need a network are replaced: `apt-get` installs the package files among its arguments, and
/// `certbot` issues a certificate of its own.
final class FreshMachine {
    private let systemd: Systemd

    /// The script that prepares the machine for the package `$0`, the daemon's binary `$1`, and the
    /// name of the machine `$2`.
    ///
    /// A binary that was not linked statically needs libraries of Swift, which are copied to where
    /// the sandbox of the unit does not hide them.
    private static let script = """
        mount -t tmpfs -o mode=0755 tmpfs /run
        mkdir -p /run/lock /run/systemd /run/libraries /run/layers /run/fresh
        cp "$0" /run/fresh/
        ldd "$1" | awk '$3 ~ "^/" && $3 !~ "^/(usr/)?lib" { print $3 }' |
            xargs -r cp -t /run/libraries
        for folder in etc usr var root; do
            layer=/run/layers/$folder
            mkdir -p "$layer/upper" "$layer/work"
            mount -t overlay overlay "/$folder" \\
                -o "lowerdir=/$folder,upperdir=$layer/upper,workdir=$layer/work"
        done
        mount -t tmpfs -o mode=1777 tmpfs /tmp
        printf '127.0.0.1 localhost %s\\n' "$2" >/etc/hosts
        rm -rf /etc/broadsheet
        cat >/usr/local/sbin/apt-get <<'END'
        #!/bin/sh
        [ "$1" = install ] || exit 0
        for word; do
            case $word in *.deb) dpkg -i "$word" || exit ;; esac
        done
        END
        cat >/usr/local/sbin/certbot <<'END'
        #!/bin/sh
        for name; do :; done
        folder=/etc/letsencrypt/live/$name
        mkdir -p "$folder"
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 \\
            -subj "/CN=$name" -addext "subjectAltName=DNS:$name" \\
            -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem"
        END
        chmod 755 /usr/local/sbin/apt-get /usr/local/sbin/certbot
        printf '[Unit]\\nDefaultDependencies=no\\n' >/etc/systemd/system/trial.target
        for unit in broadsheet nginx; do
            mkdir -p "/etc/systemd/system/$unit.service.d"
            cat >"/etc/systemd/system/$unit.service.d/trial.conf" <<'END'
        [Unit]
        DefaultDependencies=no
        After=
        Wants=
        [Service]
        Environment=LD_LIBRARY_PATH=/run/libraries
        StandardError=file:/run/trial.log
        END
        done
        """

    /// Starts a machine with a package file in its working folder.
    ///
    /// - Throws: An error if this machine does not permit it.
    init(package: String, name: String) throws {
        systemd = try Systemd(preparedBy: Self.script, [package, Repository.binary, name])
        // As the package of nginx does when it is installed.
        let nginx = try systemd.run("systemctl", "start", "nginx")
        guard nginx.status == 0 else { throw HarnessError("nginx: \(nginx.errors)") }
    }

    /// The logs of the services so far.
    var log: String { (try? systemd.run("cat", "/run/trial.log").output) ?? "" }

    /// Runs a shell script as root, in the folder of the package.
    ///
    /// - Parameter certificate: The path of the certificate that curl trusts.
    func run(script: String, trusting certificate: String) throws -> Shell.Outcome {
        let path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return try systemd.run(
            "env", "-i", "-C", "/run/fresh", path, "HOME=/root",
            "LD_LIBRARY_PATH=/run/libraries", "CURL_CA_BUNDLE=\(certificate)",
            "bash", "-c", script)
    }
}

extension Packages {
    /// Makes a `.deb` of the binary under test, as a substitute for that of `make package`.
    static func makePackage(in folder: String) throws -> String {
        let root = folder + "/package"
        let script = """
            set -e
            make -s -C "$0" -o "$1" install STATIC_BINARY="$1" DESTDIR="$2" PREFIX=/usr
            mkdir "$2/DEBIAN"
            printf '%s\\n' 'Package: broadsheet' 'Version: 0' 'Maintainer: none <none@localhost>' \\
                "Architecture: $(dpkg --print-architecture)" 'Description: a test' \\
                >"$2/DEBIAN/control"
            dpkg-deb --root-owner-group -Znone --build "$2" "$3"
            """
        let file = folder + "/broadsheet_0_test.deb"
        let made = try Shell.run([
            "bash", "-c", script, Repository.folder, Repository.binary, root, file,
        ])
        guard made.status == 0 else { throw HarnessError(made.output + made.errors) }
        return file
    }
}
