;; The doctor of Emacs, who waits for the judge and types key by key: emacs --batch -l doctor.el
(require 'doctor)
(require 'subr-x)

(defun entrant-say (words)
  (dolist (key (append words "\n" nil))
    (send-string-to-terminal (char-to-string key)) ; written at once, not line by line
    (sleep-for 0.008)))

(with-temp-buffer
  (doctor-mode)
  (let (words)
    (while (setq words (ignore-errors (read-from-minibuffer "")))
      (setq words (string-trim words))
      (unless (string-empty-p words)
        (goto-char (point-max))
        (insert words "\n\n")
        (let ((from (point)))
          (doctor-read-print)
          (entrant-say (string-trim (replace-regexp-in-string
                                     "\n" " " (buffer-substring-no-properties
                                               from (point-max))))))))))
